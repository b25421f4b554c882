import Dispatch
import DocumentStore
import DocumentValues
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import Replication
@testable import SyncProtocol

/// Trouble of the laptop itself while it syncs: nothing of the gateway's is given up for it.
@Suite struct TroubleHereTests {
    /// Blobs in plain files, on a disk that is full for a while.
    private final class FullDisk: BlobStorageProvider, Sendable {
        let kind = BlobStorageKind.plain
        let isFull = Mutex(true)

        func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
            Storage(blobs: try PlainBlobStorageProvider().open(folder: folder), disk: self)
        }

        struct Storage: BlobStorage {
            let blobs: any BlobStorage
            let disk: FullDisk

            var kind: BlobStorageKind { blobs.kind }
            var sealer: (any RowSealer)? { blobs.sealer }
            func contains(_ digest: BlobDigest) throws -> Bool { try blobs.contains(digest) }
            func length(of digest: BlobDigest) throws -> UInt64? { try blobs.length(of: digest) }
            func reader(for digest: BlobDigest) throws -> (any BlobReader)? { try blobs.reader(for: digest) }
            func writer() throws -> any BlobWriter { Writer(blob: try blobs.writer(), disk: disk) }
            func remove(_ digest: BlobDigest) throws { try blobs.remove(digest) }
            func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
                try blobs.removeAll(except: keep, untouchedSince: date)
            }
        }

        final class Writer: BlobWriter {
            let blob: any BlobWriter
            let disk: FullDisk

            init(blob: any BlobWriter, disk: FullDisk) {
                self.blob = blob
                self.disk = disk
            }

            func write(_ bytes: some Swift.Collection<UInt8>) throws {
                if disk.isFull.withLock({ $0 }) { throw StoreError(.diskFull, message: "The disk is full.") }
                try blob.write(bytes)
            }

            func finish(expecting expected: BlobDigest?) throws -> BlobMetadata { try blob.finish(expecting: expected) }
            func cancel() { blob.cancel() }
        }
    }

    /// Where others attach more than fits, one's own documents still do.
    @Test(arguments: [(nil, true), (16 << 20, true), ((16 << 20) - 1, false)] as [(Int?, Bool)])
    func attachmentsLeaveSomeOfTheDisk(room: Int?, isTaken: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("room-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var left = room
        var transfers = BlobTransfers(try PlainBlobStorageProvider().open(folder: folder), room: { left })
        let digest = BlobDigest(of: [1, 2]).text
        let request = GetAttachment(collection: 0, digest: digest, documentID: "a")
        let failure = try transfers.begin(request, longest: 100, tag: 1, job: JobID(1))
        #expect((failure == nil) == isTaken && transfers.expects(1) == isTaken)
        // No gateway has said so.
        func isOfThisDisk(_ failure: SyncFailure?) -> Bool { failure?.domain == .posix && failure?.code == 28 }
        #expect(isTaken || isOfThisDisk(failure))
        guard isTaken else { return }
        let first = try transfers.received(ByteBuffer(bytes: [1]), tag: 1, isLast: false)
        left = 0
        let second = try transfers.received(ByteBuffer(bytes: [2]), tag: 1, isLast: true)
        #expect(first == nil && isOfThisDisk(second?.failure) && !transfers.expects(1))
    }

    @Test(.timeLimit(.minutes(1))) func aDocumentWhosePhotoFindsNoRoomComesLater() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("full-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = FullDisk()
        var settings = DatabaseConfiguration()
        settings.directory = folder.path
        settings.blobStorage = disk
        let database = try Database(name: "full", config: settings)
        let collection = try database.createCollection(name: "sites", scope: "field")
        let gateway = try await LoopbackGateway.start()
        let photo = Array("a photo".utf8)
        let sender = try Laptop()
        let document = try MutableDocument(id: "a", json: #"{"c":"north"}"#)
        document.setBlob(Blob(contentType: "image/png", data: Data(photo)), forKey: "photo")
        try sender.collection.save(document: document)
        try await sync(sender.configuration(gateway, .push))
        let url = try #require(URL(string: "ws://127.0.0.1:\(gateway.port)/db"))
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: collection)], target: URLEndpoint(url: url))
        configuration.maxAttempts = 1
        let error = try await ReplicatorLog(configuration).runToEnd()
        #expect(error != nil, "the run has not done all that there is to do")
        #expect(try collection.document(id: "a") == nil)
        disk.isFull.withLock { $0 = false }
        try await sync(configuration)
        #expect(try collection.document(id: "a")?.blob(forKey: "photo")?.content == Data(photo))
        try await gateway.stop()
        try database.close()
    }

    /// Another process imports something, for longer than a writer waits for it.
    @Test(.timeLimit(.minutes(2))) func aLockedDatabaseEndsNoReplication() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        let other = try Database.open(folder: try #require(laptop.database.path))
        let part = try other.createCollection(name: "imported")
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        let (ends, ended) = AsyncStream<Swift.Result<Void, any Error>>.makeStream()
        Thread.detachNewThread {
            ended.yield(
                Swift.Result {
                    try other.inBatch {
                        try part.save(document: MutableDocument(id: "b"))
                        begin.yield()
                        end.wait()
                    }
                })
        }
        for await _ in begins { break }
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        configuration.maxAttempts = 100
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.01))
        log.replicator.start()
        try await log.wait { log.activities.contains(.offline) }
        #expect(log.errors.first?.code == CBLError.busy)
        end.signal()
        for await result in ends {
            try result.get()
            break
        }
        try await log.wait { log.activities.last == .idle }
        #expect(try laptop.json("a") != nil)
        try await log.stop()
        try other.close()
        try await gateway.stop()
    }
}
