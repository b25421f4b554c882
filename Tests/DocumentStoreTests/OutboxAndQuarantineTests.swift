@testable import DocumentStore
import DocumentValues
import Foundation
import GRDB
import Synchronization
import Testing

/// What an application sees of a collection without queries: ids, revisions of a document, the outbox, the quarantine.
@Suite struct OutboxAndQuarantineTests {
    private let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    @Test func idsAreListedInPages() throws {
        let ids = ["B", "a", "b", "é", "e\u{301}", "z"]
        for id in ids { try fixture.collection.put(id, [:]) }
        try fixture.collection.put("gone", [:])
        try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "gone")))
        try fixture.collection.put("expired", [:])
        try fixture.collection.setDocumentExpiration(id: "expired", expiration: Date(timeIntervalSinceNow: -1))
        let expected = ids.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        func bytes(_ ids: [String]) -> [[UInt8]] { ids.map { Array($0.utf8) } }
        #expect(bytes(try fixture.collection.documentIDs()) == bytes(expected))
        var listed: [String] = []
        var page = try fixture.collection.documentIDs(limit: 4)
        while let last = page.last {
            listed += page
            page = try fixture.collection.documentIDs(after: last, limit: 4)
        }
        #expect(bytes(listed) == bytes(expected))
        #expect(try fixture.collection.documentIDs(limit: -1).isEmpty)
        try fixture.database.close()
        #expect(throws: StoreError.self) { try fixture.collection.documentIDs() }
    }

    @Test func theHistoryOfADocumentCanBeRead() throws {
        var revisions: [String] = []
        for number in 1...3 {
            revisions.insert(try #require(try fixture.collection.put("a", ["n": number]).revisionID), at: 0)
        }
        #expect(try fixture.collection.revisionHistory(id: "a") == revisions)
        try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "a")))
        let history = try fixture.collection.revisionHistory(id: "a")
        #expect(Array(history.dropFirst()) == revisions && history[0].hasPrefix("4-"))
        #expect(try fixture.collection.revisionHistory(id: "b").isEmpty)
    }

    private func reject(_ id: String, code: Int = 403) throws {
        let revision = try #require(try fixture.revision(id)?.revision)
        try fixture.store.recordRejection(of: id, revision: revision, code: code, reason: "no", in: .default)
    }

    /// As they are printed by who follows the two.
    @Test func entriesCanBeRead() throws {
        let revision = try #require(try fixture.collection.put("a", ["n": 1]).revisionID)
        try reject("a")
        let push = try #require(try fixture.database.rejectedPushes(of: "a", in: fixture.collection).first)
        #expect("\(push)" == "'a' in _default._default, revision \(revision): no (403)")
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true, reason: "revoked")
        let kept = try #require(try fixture.database.quarantinedDocuments().first)
        #expect("\(kept)" == "'a' in _default._default, revision \(revision): revoked")
    }

    /// It was being sent when the access was taken away: the gateway has it, and no user has to decide about it.
    @Test func whatArrivedAfterAllLeavesTheQuarantine() throws {
        let first = try fixture.collection.put("a", ["n": 1])
        let other = try fixture.collection.put("b", ["n": 1])
        let later = try fixture.collection.put("b", ["n": 2])
        _ = try fixture.store.purge(["a", "b"], in: .default, quarantine: true, reason: "revoked")
        #expect(try fixture.database.quarantinedDocuments().count == 2)
        for document in [first, other] { try fixture.acknowledge(document) }
        #expect(try fixture.database.quarantinedDocuments().map(\.revisionID) == [later.revisionID])
    }

    @Test(.timeLimit(.minutes(1))) func theOutboxIsAValueAndASequence() async throws {
        let document = try fixture.collection.put("a", ["n": 1])
        try reject("a")
        let push = try #require(try fixture.database.rejectedPushes().first)
        #expect(push.documentID == "a" && push.revisionID == document.revisionID && push.code == 403)
        #expect(push.scopeName == "_default" && push.collectionName == "_default" && push.reason == "no")
        #expect(push.remote == "wss://gateway/db" && abs(push.rejectedAt.timeIntervalSinceNow) < 60)
        var lists = fixture.database.rejectedPushChanges().map { $0.map(\.documentID) }.makeAsyncIterator()
        #expect(await lists.next() == ["a"])
        try fixture.collection.put("b", ["n": 1])
        try reject("b")
        #expect(await lists.next() == ["a", "b"])
        // A commit that leaves the outbox alone is no news.
        try fixture.collection.put("c", ["n": 1])
        try fixture.collection.put("a", ["n": 2])
        #expect(await lists.next() == ["b"])
    }

    @Test(.timeLimit(.minutes(1))) func theQuarantineIsAValueAndASequence() async throws {
        var lists = fixture.database.quarantineChanges().makeAsyncIterator()
        #expect(await lists.next() == [])
        let document = try fixture.collection.put("a", ["n": 1])
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true, reason: "revoked")
        let kept = try #require(await lists.next()?.first)
        #expect(kept.documentID == "a" && kept.revisionID == document.revisionID && !kept.isDeleted)
        #expect(kept.toJSON() == #"{"n":1}"# && kept.reason == "revoked" && kept.collectionName == "_default")
        #expect(abs(kept.quarantinedAt.timeIntervalSinceNow) < 60)
        try fixture.database.restoreQuarantinedDocument(kept.id)
        #expect(await lists.next() == [])
        #expect(try fixture.json("a") == #"{"n":1}"#)
    }

    /// Also at the level of those who have set none.
    @Test func whatGoesToTheQuarantineHasALine() throws {
        let lines = Mutex<[String]>([])
        let token = LogSinks.observe { level, _, text in
            if level == .warning, text.contains("kept-") { lines.withLock { $0.append(text) } }
        }
        defer { token.remove() }
        let ids = (10..<35).map { "kept-\($0)" }
        for id in ids { _ = try fixture.collection.put(id, ["n": 1]) }
        let purged = try fixture.store.purge(ids, in: .default, quarantine: true, reason: "revoked")
        #expect(purged == ids)
        let texts = lines.withLock { $0 }
        #expect(texts.count == StoreLimits.loggedQuarantine)
        #expect(texts.first == "Edits moved to the quarantine: 'kept-10' in _default._default: revoked")
    }

    /// They are counted with each sync: one that cannot be opened must not keep the others from it.
    @Test func entriesAreCountedWithoutBeingOpened() throws {
        for id in ["a", "b"] { _ = try fixture.collection.put(id, ["n": 1]) }
        _ = try fixture.store.purge(["a", "b"], in: .default, quarantine: true, reason: "revoked")
        try fixture.database.core().write {
            try $0.db.execute(sql: "UPDATE quarantine SET revision = x'00' WHERE document_id = 'a'")
        }
        #expect(try fixture.database.quarantinedDocumentCount() == 2)
    }

    @Test(.timeLimit(.minutes(1))) func theSequencesOfAClosedDatabaseEnd() async throws {
        let open = fixture.database.rejectedPushChanges()
        var lists = open.makeAsyncIterator()
        #expect(await lists.next() == [])
        try fixture.database.close()
        #expect(await lists.next() == nil)
        for await _ in fixture.database.rejectedPushChanges() { Issue.record("it is closed") }
        for await _ in fixture.database.quarantineChanges() { Issue.record("it is closed") }
    }

    /// Closing lets them go, which removes them from the observers at the same time.
    @Test(.timeLimit(.minutes(1))) func streamsThatNobodyReadsEndWithTheDatabase() async throws {
        let outbox = fixture.database.rejectedPushChanges()
        let quarantine = fixture.database.quarantineChanges()
        // The first lists are read: nothing but the database holds the streams.
        var others = fixture.database.rejectedPushChanges().makeAsyncIterator()
        #expect(await others.next() == [])
        try fixture.database.close()
        for await list in outbox { #expect(list.isEmpty) }
        for await list in quarantine { #expect(list.isEmpty) }
        #expect(await others.next() == nil)
    }

    /// As above, where a listener's token lies in what another one holds.
    @Test func aListenerMayHoldTheTokenOfAnother() throws {
        final class Holder: Sendable {
            let token: ListenerToken
            init(_ token: ListenerToken) { self.token = token }
            deinit { token.remove() }
        }
        let inner = fixture.collection.addChangeListener { _ in }
        var holder: Holder? = Holder(inner)
        let outer = fixture.collection.addChangeListener { [holder] _ in withExtendedLifetime(holder) {} }
        holder = nil
        outer.remove()
    }
}
