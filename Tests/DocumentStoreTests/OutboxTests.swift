import DatabaseMigrations
import DocumentValues
import GRDB
import Testing

@testable import DocumentStore

/// Refused pushes, and what becomes of them.
@Suite struct OutboxTests {
    private let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    private func refuse(_ id: String, code: Int = 403, reason: String = "no") throws {
        let revision = try #require(try fixture.revision(id)).revision
        try fixture.store.recordRejection(of: id, revision: revision, code: code, reason: reason, in: .default)
    }

    private func rejection(_ id: String = "a") throws -> RejectedPush {
        try #require(try fixture.database.rejectedPushes().first { $0.documentID == id })
    }

    @Test func theFirstRefusalIsRemembered() throws {
        _ = try fixture.collection.put("a", ["n": 1])
        _ = try fixture.collection.put("b", ["n": 1])
        try refuse("a")
        let first = try rejection()
        try refuse("b")
        try refuse("a", code: 500, reason: "boom")
        let again = try rejection()
        #expect(first.firstDate == first.date)
        #expect(again.firstDate == first.date && again.date > first.date)
        #expect(again.code == 500 && again.number == first.number)
        #expect(try rejection("b").number != again.number)
    }

    /// A version before has noted none of the numbers that it gave.
    @Test func numbersThatWereNotNotedAreNotGivenAgain() throws {
        for id in ["a", "b", "c"] {
            _ = try fixture.collection.put(id, ["n": 1])
            if id != "c" { try refuse(id) }
        }
        try fixture.store.core.write { try $0.db.execute(sql: "DELETE FROM properties WHERE key = 'outbox_number'") }
        try refuse("a", reason: "another reason")
        try refuse("c")
        #expect(try ["a", "b", "c"].map { try rejection($0).number } == [1, 2, 3])
    }

    @Test func anAcknowledgedRefusalStaysSoWhileItsReasonIsTheSame() throws {
        _ = try fixture.collection.put("a", ["n": 1])
        try refuse("a")
        #expect(try !rejection().isAcknowledged)
        try fixture.database.acknowledgeRejection(try rejection().number)
        try refuse("a")
        #expect(try rejection().isAcknowledged)
        try refuse("a", reason: "something else")
        #expect(try !rejection().isAcknowledged)
        #expect(throws: StoreError.self) { try fixture.database.acknowledgeRejection(99) }
    }

    @Test func onlyWhatNoRemoteHasIsForgottenAtOnce() throws {
        _ = try fixture.collection.put("a", ["n": 1])
        let sent = try fixture.collection.put("b", ["n": 1])
        try fixture.acknowledge(sent)
        _ = try fixture.collection.put("b", ["n": 2])
        #expect(try fixture.collection.purgeIfUnsent(id: "a"))
        #expect(try !fixture.collection.purgeIfUnsent(id: "b"))
        #expect(try !fixture.collection.purgeIfUnsent(id: "a"), "nothing is there any more")
        #expect(try fixture.collection.exchange(of: "a") == nil)
        #expect(try fixture.json("b") == #"{"n":2}"#)
    }

    /// What happens to the document before it is reverted, and what is there afterwards.
    private static let reversals:
        [(name: String, prepare: @Sendable (ReplicationFixture) throws -> Void, Reversal, String?)] = [
            ("new", { _ = try $0.collection.put("a", ["n": 1]) }, .purged, nil),
            (
                "new, then deleted",
                { try $0.collection.delete(document: try $0.collection.put("a", ["n": 1])) }, .purged, nil
            ),
            (
                "edited twice",
                {
                    try $0.acknowledge(try $0.collection.put("a", ["n": 1]))
                    _ = try $0.collection.put("a", ["n": 2])
                    _ = try $0.collection.put("a", ["n": 3])
                }, .reverted, #"{"n":1}"#
            ),
            (
                "deleted",
                {
                    let document = try $0.collection.put("a", ["n": 1])
                    try $0.acknowledge(document)
                    try $0.collection.delete(document: document)
                }, .reverted, #"{"n":1}"#
            ),
            (
                "in conflict",
                {
                    try $0.acknowledge(try $0.collection.put("a", ["n": 1]))
                    _ = try $0.collection.put("a", ["n": 2])
                    #expect(try $0.pull("a", "2-abc", #"{"n":9}"#).name == "conflict")
                }, .reverted, #"{"n":9}"#
            ),
            (
                "made again over a tombstone",
                {
                    #expect(try $0.pull("a", "2-abc", deleted: true).name == "inserted")
                    _ = try $0.collection.put("a", ["n": 2])
                }, .purgedToBeFetched, nil
            ),
            (
                "new, where the remote has another",
                {
                    _ = try $0.collection.put("a", ["n": 1])
                    let revision = try #require(try $0.revision("a")?.revision)
                    try $0.store.recordRejection(
                        of: "a", revision: revision, code: 409, reason: "conflict", in: .default)
                }, .purgedToBeFetched, nil
            ),
            (
                "edited, where the remote has a newer revision that never came",
                {
                    try $0.acknowledge(try $0.collection.put("a", ["n": 1]))
                    _ = try $0.collection.put("a", ["n": 2])
                    let revision = try #require(try $0.revision("a")?.revision)
                    try $0.store.recordRejection(
                        of: "a", revision: revision, code: 409, reason: "conflict", in: .default)
                }, .purgedToBeFetched, nil
            ),
            (
                "edited since a version that the remote has lost",
                {
                    try $0.acknowledge(try $0.collection.put("a", ["n": 1]))
                    _ = try $0.collection.put("a", ["n": 2])
                    try $0.collection.forgetBase(of: "a")
                }, .purgedToBeFetched, nil
            ),
            (
                "edited, taken away, restored and edited again",
                {
                    _ = try Self.restored($0)
                    _ = try $0.collection.put("a", ["n": 3])
                }, .purgedToBeFetched, nil
            ),
            (
                "edited since a restored version that the remote has taken",
                {
                    try $0.acknowledge(try Self.restored($0))
                    _ = try $0.collection.put("a", ["n": 3])
                }, .reverted, #"{"n":2}"#
            ),
            ("as it was sent", { try $0.acknowledge(try $0.collection.put("a", ["n": 1])) }, .unchanged, #"{"n":1}"#),
        ]

    /// A document that was sent, edited, taken away with its edit, and restored from the quarantine.
    private static func restored(_ fixture: ReplicationFixture) throws -> Document {
        try fixture.acknowledge(try fixture.collection.put("a", ["n": 1]))
        _ = try fixture.collection.put("a", ["n": 2])
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true, reason: "revoked")
        let kept = try #require(try fixture.database.quarantinedDocuments().first)
        try fixture.database.restoreQuarantinedDocument(kept.id)
        return try #require(try fixture.collection.document(id: "a"))
    }

    @Test func revertingLeavesWhatTheRemoteHas() throws {
        for (name, prepare, reversal, json) in Self.reversals {
            let fixture = try ReplicationFixture()
            try prepare(fixture)
            #expect(try fixture.collection.revert(id: "a") == reversal, "\(name)")
            #expect(try fixture.json() == json, "\(name)")
            #expect(try fixture.changes().isEmpty, "\(name): nothing waits to be sent")
        }
        #expect(try fixture.collection.revert(id: "nobody") == nil)
    }

    /// A session that is open would write back what it knows, and the document never came.
    @Test func checkpointsOfAnOpenSessionDoNotOutliveThat() throws {
        let generation = try fixture.store.checkpointGeneration()
        #expect(try fixture.store.saveCheckpoint("cp", body: [1], of: generation))
        #expect(try fixture.pull("a", "2-abc", deleted: true).name == "inserted")
        _ = try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.collection.revert(id: "a") == .purgedToBeFetched)
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
        #expect(try !fixture.store.saveCheckpoint("cp", body: [2], of: generation))
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
        let next = try fixture.store.checkpointGeneration()
        #expect(try next != generation && fixture.store.saveCheckpoint("cp", body: [3], of: next))
    }

    /// One that is made again has the same name, and other documents.
    @Test func checkpointsGoWithADeletedCollection() throws {
        let generation = try fixture.store.checkpointGeneration()
        try fixture.store.saveCheckpoint("cp", body: [1])
        _ = try fixture.database.createCollection(name: "notes")
        #expect(try fixture.store.loadCheckpoint("cp") != nil)
        try fixture.database.deleteCollection(name: "notes")
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
        #expect(try fixture.store.checkpointGeneration() != generation)
    }

    @Test func aRevertedEditIsNoConflictWithALaterRevision() throws {
        let sent = try fixture.collection.put("a", ["n": 1])
        try fixture.acknowledge(sent)
        let revision = try #require(sent.revisionID)
        _ = try fixture.collection.put("a", ["n": 2])
        _ = try fixture.collection.revert(id: "a")
        #expect(try fixture.pull("a", "2-abc", history: revision, #"{"n":9}"#).name == "inserted")
        #expect(try fixture.json() == #"{"n":9}"#)
    }

    @Test func whatIsFetchedAgainHasNoCheckpoint() throws {
        try fixture.store.saveCheckpoint("cp", body: [1])
        _ = try fixture.pull("a", "2-abc", deleted: true)
        _ = try fixture.collection.put("a", ["n": 2])
        _ = try fixture.collection.revert(id: "a")
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
    }

    @Test func aDocumentIsOfferedAgainWithoutANewRevision() throws {
        _ = try fixture.collection.put("a", ["n": 1])
        let (revision, sequence) = (try fixture.revision()?.revision, try fixture.store.lastSequence(in: .default))
        try refuse("a")
        try fixture.collection.offerAgain(id: "a")
        #expect(try fixture.changes(after: sequence).map(\.documentID) == ["a"])
        #expect(try fixture.revision()?.revision == revision)
        #expect(try fixture.database.rejectedPushes().count == 1)
    }

    @Test func anOutboxOfAnEarlierVersionGetsNumbersAndDates() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: DatabaseMigrations.store[0].sql)
            for (id, date) in [("a", 5.0), ("b", 7.0)] {
                try db.execute(
                    sql: "INSERT INTO outbox VALUES (1, ?, 1, '1-a', 403, 'no', ?)", arguments: [id, date])
            }
            try db.execute(sql: DatabaseMigrations.store[1].sql)
            let rows = try Row.fetchAll(
                db, sql: "SELECT number, first_rejected_at, is_acknowledged FROM outbox ORDER BY number")
            #expect(rows.map { $0[0] as Int } == [1, 2] && rows.map { $0[1] as Double } == [5, 7])
            #expect(rows.map { $0[2] as Int } == [0, 0])
        }
    }
}
