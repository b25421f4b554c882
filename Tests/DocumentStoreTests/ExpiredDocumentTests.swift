import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import DocumentStore

/// Documents whose time has come, and that are not purged yet.
@Suite struct ExpiredDocumentTests {
    /// A batch keeps the purge waiting.
    @Test func whatIsSavedUnderTheirIDIsAnotherDocument() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.createCollection(name: "inspections", scope: "field")
        try collection.put("a", ["text": "old"])
        try database.inBatch {
            try collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: -1))
            #expect(try collection.document(id: "a") == nil)
            let document = MutableDocument(id: "a", data: ["text": "new"])
            #expect(try collection.save(document: document, concurrencyControl: .failOnConflict))
            #expect(try collection.document(id: "a")?.string(forKey: "text") == "new")
            #expect(try collection.getDocumentExpiration(id: "a") == nil)
            #expect(try collection.revisionHistory(id: "a").count == 1)
        }
        #expect(collection.count == 1)
        #expect(try collection.document(id: "a")?.string(forKey: "text") == "new")
    }

    /// Otherwise the next purge would remove them, too.
    @Test func bodiesThatAreSavedUnderTheirIDsAreOtherDocuments() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.defaultCollection()
        try database.inBatch {
            for id in ["a", "b"] {
                try collection.put(id, ["text": "old"])
                try collection.setDocumentExpiration(id: id, expiration: Date(timeIntervalSinceNow: -1))
            }
            let body = Array(#"{"text":"new"}"#.utf8)
            try collection.save(bodies: [("a", body)])
            #expect(
                performing: { try collection.replaceLost(id: "b", body: body) }, throws: isCode(.notFound))
        }
        _ = try database.core().purgeExpired()
        #expect(try collection.document(id: "a")?.string(forKey: "text") == "new")
        #expect(try collection.getDocumentExpiration(id: "a") == nil && !collection.isStored("b"))
    }

    /// Its entry has left the quarantine by then, so it would be lost.
    @Test func aRestoredDocumentDoesNotExpireWithThePresentOne() throws {
        let fixture = try ReplicationFixture()
        try fixture.collection.put("a", ["text": "kept"])
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true, reason: "revoked")
        let kept = try #require(try fixture.database.quarantinedDocuments().first)
        try fixture.database.inBatch {
            try fixture.collection.put("a", ["text": "present"])
            try fixture.collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: -1))
            try fixture.database.restoreQuarantinedDocument(kept.id)
        }
        _ = try fixture.database.core().purgeExpired()
        #expect(try fixture.collection.document(id: "a")?.string(forKey: "text") == "kept")
        #expect(try fixture.database.quarantinedDocumentCount() == 0)
    }

    /// A document that is made again does not go with the deletion.
    @Test func aDeletionExpires() throws {
        let folder = try TestFolder()
        let collection = try folder.open().defaultCollection()
        for id in ["a", "b"] { try collection.delete(document: try collection.put(id, [:])) }
        for id in ["a", "b"] {
            try collection.setDocumentExpiration(id: id, expiration: Date(timeIntervalSinceNow: 3_600))
            #expect(try collection.getDocumentExpiration(id: id) != nil)
        }
        try collection.put("b", ["text": "new"])
        #expect(try collection.getDocumentExpiration(id: "b") == nil)
        try collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: -1))
        _ = try collection.database.core().purgeExpired()
        #expect(try !collection.isStored("a") && collection.isStored("b"))
        #expect(try collection.getDocumentExpiration(id: "a") == nil && collection.count == 1)
    }

    @Test func allThatAreDueArePurgedAtOnce() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.defaultCollection()
        try database.inBatch {
            for number in 0..<300 {
                try collection.put("\(number)", ["n": number])
                let seconds = number < 290 ? -1 - Double(number % 7) : 3_600
                try collection.setDocumentExpiration(
                    id: "\(number)", expiration: Date(timeIntervalSinceNow: seconds))
            }
        }
        let next = try #require(try database.core().purgeExpired())
        #expect(next > StoreInstant.now.seconds && collection.count == 10)
        #expect(try (0..<290).allSatisfy { try !collection.isStored("\($0)") })
    }

    /// Otherwise the purge that is planned for it would be planned again without end.
    @Test func whatIsDeletedIsNotWaitedFor() throws {
        let folder = try TestFolder()
        let collection = try folder.open().defaultCollection()
        let document = try collection.put("a", [:])
        try collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: 3_600))
        let core = try collection.database.core()
        #expect(try core.read(CollectionCatalog.all).nextExpiration != nil)
        try collection.delete(document: document)
        #expect(try core.read(CollectionCatalog.all).nextExpiration == nil)
    }

    /// Nobody need look at the database for it.
    @Test(.timeLimit(.minutes(1))) func eachPurgePlansTheNextOne() async {
        let (purges, continuation) = AsyncStream<Int>.makeStream()
        let left = ExpiredDocuments(3)
        let timer = ExpiryTimer {
            let rest = left.takeOne()
            continuation.yield(rest)
            return rest > 0 ? StoreInstant.now.seconds + 0.01 : nil
        }
        timer.schedule(StoreInstant.now.seconds)
        var seen: [Int] = []
        for await rest in purges {
            seen.append(rest)
            if rest == 0 { break }
        }
        #expect(seen == [2, 1, 0])
    }

    /// Another thread may have looked before what is planned was written.
    @Test(.timeLimit(.minutes(1))) func anOlderLookPutsNothingOff() async {
        let (purges, continuation) = AsyncStream<Void>.makeStream()
        let timer = ExpiryTimer {
            continuation.finish()
            return nil
        }
        timer.schedule(StoreInstant.now.seconds + 1_000_000)
        timer.schedule(StoreInstant.now.seconds + 0.05)
        timer.schedule(StoreInstant.now.seconds + 2_000_000)
        timer.schedule(nil)
        for await _ in purges {}
    }

    /// Also one that a batch sets.
    @Test(.timeLimit(.minutes(1))) func anExpirationOfABatchIsCarriedOut() async throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.defaultCollection()
        try database.inBatch {
            try collection.put("a", ["text": "old"])
            try collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: 0.01))
        }
        while try collection.isStored("a") { await Task.yield() }
    }

    private final class ExpiredDocuments: Sendable {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        func takeOne() -> Int {
            count.withLock { count in
                count -= 1
                return count
            }
        }
    }
}

extension Collection {
    /// Whether it lies on the disk, be its time over or not.
    fileprivate func isStored(_ id: String) throws -> Bool { try !revisionHistory(id: id).isEmpty }
}
