import DocumentStore
import DocumentValues
import Foundation
import SyncProtocol
import Synchronization
import Testing

@testable import Replication

/// Blobs that do not fit into the memory that they may take. `FIELDBOOK_BLOB_MEGABYTES=1024` makes them as large as they
/// are promised to be.
@Suite(.serialized) struct LargeBlobTests {
    private static let length =
        (ProcessInfo.processInfo.environment["FIELDBOOK_BLOB_MEGABYTES"].flatMap { Int($0) } ?? 64) << 20
    /// Less than the blob, and more than what waits on its way: 8 MiB in a session's inbox, and what the sockets hold. A
    /// gigabyte took 23 MB on a busy machine; how much of what is free the allocator keeps is its own affair.
    private static let memory = 48 << 20

    /// How much more memory the whole process has taken, at its worst, while `work` was done.
    private func growth(_ work: () async throws -> Void) async throws -> Int {
        // Sets the high water mark back; where that is not allowed, the mark can only be too high.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try Self.highWaterMark()
        try await work()
        return try Self.highWaterMark() - before
    }

    private static func highWaterMark() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let kilobytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) }
        return try #require(kilobytes) << 10
    }

    private func gateway() async throws -> (LoopbackGateway, LargeBlobGateway) {
        let (gateway, large) = (try await LoopbackGateway.start(), LargeBlobGateway(length: Self.length))
        gateway.state.withLock { $0.stranger = large }
        return (gateway, large)
    }

    @Test(.timeLimit(.minutes(20))) func aPulledBlobTakesLittleMemory() async throws {
        let (gateway, large) = try await gateway()
        let laptop = try Laptop()
        let configuration = try laptop.configuration(gateway, .pull)
        let growth = try await growth { try await Replicator(config: configuration).run() }
        #expect(growth < Self.memory)
        let blob = try laptop.collection.document(id: "large")?.blob(forKey: "photo")
        #expect(blob?.digest == large.digest.text)
        let stored = try #require(blob?.contentStream)
        stored.open()
        defer { stored.close() }
        var (buffer, count) = ([UInt8](repeating: 0, count: 1 << 20), 0)
        while case let read = stored.read(&buffer, maxLength: buffer.count), read > 0 { count += read }
        #expect(count == Self.length)
        try await gateway.stop()
    }

    /// However much the gateway sends.
    @Test(.timeLimit(.minutes(5))) func aBlobThatSaysLessThanItHasIsNotStored() async throws {
        let gateway = try await LoopbackGateway.start()
        let large = LargeBlobGateway(length: Self.length, announced: 4)
        gateway.state.withLock { $0.stranger = large }
        let laptop = try Laptop()
        let replicator = Replicator(config: try laptop.configuration(gateway, .pull))
        let errors = Mutex<[String]>([])
        let token = replicator.addDocumentReplicationListener { replication in
            errors.withLock { $0 += replication.documents.compactMap { $0.error.map { "\($0)" } } }
        }
        try await replicator.run()
        token.remove()
        #expect(errors.withLock { $0 }.contains { $0.contains("more bytes than its document says") })
        #expect(try laptop.collection.document(id: "large") == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(20))) func aPushedBlobTakesLittleMemory() async throws {
        let (gateway, large) = try await gateway()
        let laptop = try Laptop()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")
        defer { try? FileManager.default.removeItem(at: file) }
        // A file of zeros that takes no space.
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(Self.length))
        let document = MutableDocument(id: "large", data: ["c": "north"])
        document.setBlob(try Blob(contentType: "image/x", fileURL: file), forKey: "photo")
        let saving = try await growth { try laptop.collection.save(document: document) }
        #expect(saving < Self.memory)
        let configuration = try laptop.configuration(gateway, .push)
        let pushing = try await growth { try await Replicator(config: configuration).run() }
        #expect(pushing < Self.memory)
        let digest = try laptop.collection.document(id: "large")?.blob(forKey: "photo")?.digest
        #expect(large.received.length == UInt64(Self.length) && large.received.digest.text == digest)
        try await gateway.stop()
    }
}
