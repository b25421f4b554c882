import Dispatch
import DocumentValues
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DocumentStore

/// Calls of other threads while a database is closed, deleted, or gets another key.
@Suite struct ConcurrentClosingTests {
    private let encrypted: EncryptedFolder
    private static let other = EncryptionKey.key(Data(0..<32))

    init() throws { encrypted = try EncryptedFolder() }

    private enum Work: String, CaseIterable {
        case saving, reading, querying, batches, attachments, streams

        func run(_ number: Int, in database: Database) throws {
            let notes = try database.defaultCollection()
            let id = "\(rawValue)-\(number % 40)"
            let content = Data("\(EncryptedFolder.marker)-\(rawValue)-\(number)".utf8)
            switch self {
            case .saving: try notes.put(id, ["text": EncryptedFolder.marker])
            case .reading: _ = try notes.document(id: "\(Work.saving)-\(number % 40)")
            case .querying: _ = try database.createQuery("SELECT META().id, text FROM _").execute().allResults()
            case .batches:
                try database.inBatch {
                    for part in 0..<3 { try notes.put("\(id)-\(part)", ["number": number]) }
                }
            case .attachments:
                try notes.put(id, ["photo": Blob(contentType: "text/plain", data: content)])
                _ = try notes.document(id: id)?.blob(forKey: "photo")?.content
            case .streams:
                try database.saveBlob(blob: Blob(contentType: "text/plain", contentStream: InputStream(data: content)))
            }
        }
    }

    /// Runs each kind of call on a thread of its own, again and again, until `body` has ended.
    ///
    /// - Returns: the errors that a call must not have.
    private func faults(in database: Database, during body: () throws -> Void) throws -> [String] {
        let faults = Mutex<[String]>([])
        let isOver = Atomic(false)
        let threads = DispatchGroup()
        for work in Work.allCases {
            threads.enter()
            let thread = Thread {
                var number = 0
                while !isOver.load(ordering: .acquiring) {
                    do { try work.run(number, in: database) } catch {
                        let code = (error as? StoreError)?.code
                        if code != .notOpen, code != .busy { faults.withLock { $0.append("\(work): \(error)") } }
                        usleep(200)
                    }
                    number += 1
                }
                threads.leave()
            }
            thread.start()
        }
        let result = Swift.Result { try body() }
        isOver.store(true, ordering: .releasing)
        threads.wait()
        try result.get()
        return faults.withLock { $0 }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [nil, EncryptedFolder.password])
    func callsSucceedOrAreRefusedWhileItIsClosed(key: EncryptionKey?) throws {
        for _ in 0..<10 {
            let database = try encrypted.open(key)
            let faults = try faults(in: database) {
                usleep(20_000)
                try database.close()
                usleep(2_000)
            }
            #expect(faults == [])
        }
        try encrypted.open(key).performMaintenance(type: .integrityCheck)
    }

    @Test(.timeLimit(.minutes(2))) func callsSucceedOrAreRefusedWhileItIsDeleted() throws {
        for _ in 0..<10 {
            let database = try encrypted.open(nil)
            let faults = try faults(in: database) {
                usleep(20_000)
                try database.delete()
                usleep(2_000)
            }
            #expect(faults == [])
            #expect(!Database.exists(folder: encrypted.folder.databaseFolder().path))
        }
    }

    @Test(.timeLimit(.minutes(4))) func callsSucceedOrAreRefusedWhileTheKeyIsChanged() throws {
        let database = try encrypted.open(nil)
        let faults = try faults(in: database) {
            for key in [EncryptedFolder.password, Self.other, nil, EncryptedFolder.password, nil, Self.other] {
                try database.changeEncryptionKey(key)
                usleep(10_000)
            }
        }
        #expect(faults == [])
        try database.performMaintenance(type: .integrityCheck)
        #expect(encrypted.plainFiles == [])
        try database.close()
        #expect(try encrypted.open(Self.other).defaultCollection().count > 0)
    }

    /// A thread that has the storage of the attachments from before must not write one in plain.
    @Test func theStorageOfTheFormerKeyIsOfNoUse() throws {
        let database = try encrypted.open(nil)
        let storage = try database.blobStorage()
        let content = Array(EncryptedFolder.marker.utf8)
        let begun = try storage.writer()
        defer { begun.cancel() }
        try begun.write(content)
        let stored = try storage.store(Array("a photo".utf8)).digest
        let reader = try #require(try storage.reader(for: stored))
        defer { reader.close() }

        try database.changeEncryptionKey(EncryptedFolder.password)

        #expect(performing: { try storage.store(content) }, throws: isCode(.busy))
        #expect(performing: { try begun.finish(expecting: nil) }, throws: isCode(.busy))
        #expect(performing: { try reader.read(upTo: 100) }, throws: isCode(.busy))
        #expect(try database.blobStorage().read(stored) == Array("a photo".utf8))
        #expect(encrypted.plainFiles == [])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func aBatchThatIsUnderWayIsWaitedFor(isForKey: Bool) throws {
        let database = try encrypted.open(nil)
        let hasBegun = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let faults = Mutex<[String]>([])
        let thread = Thread {
            do {
                try database.inBatch {
                    hasBegun.signal()
                    // For the thread that closes it, which refuses this one's calls by then if they are not let in.
                    usleep(50_000)
                    for number in 0..<3 { try database.defaultCollection().put("\(number)", [:]) }
                }
            } catch { faults.withLock { $0.append("\(error)") } }
            hasEnded.signal()
        }
        thread.start()
        hasBegun.wait()
        if isForKey { try database.changeEncryptionKey(Self.other) } else { try database.close() }
        hasEnded.wait()
        #expect(faults.withLock { $0 } == [])
        try database.close()
        #expect(try encrypted.open(isForKey ? Self.other : nil).defaultCollection().count == 3)
    }

    /// As a stream of the application that is read while a blob is stored.
    @Test func itIsNotClosedInsideOneOfItsCalls() throws {
        let database = try encrypted.open(nil)
        let core = try database.core()
        try core.read { _ in
            #expect(performing: { try database.close() }, throws: isCode(.busy))
            #expect(performing: { try database.delete() }, throws: isCode(.busy))
        }
        try core.call {
            _ = #expect(performing: { try database.changeEncryptionKey(Self.other) }, throws: isCode(.busy))
        }
        try database.inBatch {
            #expect(performing: { try database.close() }, throws: isCode(.invalidParameter))
            try database.defaultCollection().put("a", [:])
        }
        #expect(try database.defaultCollection().count == 1)
        try database.close()
    }

    /// While the key is changed, a replicator that starts is asked to try again.
    @Test func activitiesAreRefusedForTheTimeOfAnotherKey() throws {
        let database = try encrypted.open(nil)
        try database.exchangeForOtherKey { _ in
            #expect(performing: { try database.register(.replicator) }, throws: isCode(.busy))
            #expect(performing: { try database.core() }, throws: isCode(.busy))
        }
        try database.register(.replicator).remove()
        try database.close()
        #expect(performing: { try database.register(.replicator) }, throws: isCode(.notOpen))
    }
}
