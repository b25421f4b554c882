import DocumentValues
import GRDB
import Testing

@testable import DocumentStore

/// A document that is damaged on the disk fails alone when it is exchanged; errors of the whole database do not.
@Suite struct DamagedExchangeTests {
    private let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    private func execute(_ sql: String) throws {
        try fixture.database.core().write { try $0.db.execute(sql: sql) }
    }

    private func damage(_ change: String) throws { try execute("UPDATE documents_1 SET \(change) WHERE id = 'bad'") }

    private func pulled(_ id: String, revision: String, history: String) throws -> PulledRevision {
        PulledRevision(
            documentID: id, revision: try #require(RevisionID(revision)),
            history: try #require(RevisionHistory(parsing: history)), isDeleted: false, body: .empty)
    }

    @Test(arguments: ["revision = 'x'", "history = 'x'"]) func itIsPulledAlone(change: String) throws {
        for id in ["a", "bad"] { _ = try fixture.pull(id, "1-aa") }
        try damage(change)
        let announced = try #require(RevisionID("2-bb"))
        let rows = ["a", "bad", "c"].map { AnnouncedRevision(documentID: $0, revision: announced, isDeleted: false) }
        let decisions = try fixture.store.decide(rows, in: .default)
        #expect(
            decisions.first == .wanted(ancestors: [RevisionID("1-aa")!]) && decisions.last == .wanted(ancestors: []))
        guard case .unreadable(let reason) = decisions[1] else {
            Issue.record("\(decisions[1])")
            return
        }
        #expect(reason.contains("document bad"), "\(reason)")
        let outcomes = try fixture.store.insert(
            ["a", "bad", "c"].map { try pulled($0, revision: "2-bb", history: $0 == "c" ? "" : "1-aa") }, in: .default)
        #expect(outcomes.map(\.name) == ["inserted", "failed 15", "inserted"])
        #expect(try fixture.revision("a")?.revision.description == "2-bb")
    }

    @Test func aDamagedConflictFailsAlone() throws {
        for id in ["a", "bad"] {
            try fixture.collection.put(id, ["n": 1])
            #expect(try fixture.pull(id, "1-ff", #"{"n":2}"#).name == "conflict")
        }
        try execute("UPDATE conflicts SET history = 'x' WHERE document_id = 'bad'")
        #expect(try fixture.store.conflictingDocuments(in: .default) == ["a", "bad"])
        #expect(try fixture.store.conflict(of: "a", in: .default) != nil)
        let outcomes = try fixture.store.insert(
            ["a", "bad"].map { try pulled($0, revision: "2-ff", history: "1-ff") }, in: .default)
        #expect(outcomes.map(\.name) == ["conflict", "failed 15"])
    }

    @Test func aChangeThatCannotBeReadIsNamedBesideTheOthers() throws {
        for id in ["a", "bad", "c"] { try fixture.collection.put(id, ["n": 1]) }
        try damage("revision = 'x'")
        let batch = try fixture.store.changes(in: .default, after: 0, limit: 9)
        #expect(batch.changes.map(\.documentID) == ["a", "c"])
        #expect(batch.unreadable.map(\.documentID) == ["bad"] && batch.unreadable.map(\.sequence) == [2])
        #expect(batch.through == 3 && batch.isCaughtUp)
        let first = try fixture.store.changes(in: .default, after: 0, limit: 2)
        #expect(first.through == 2 && !first.isCaughtUp, "it counts like the others")
    }

    @Test(arguments: ["revision = 'x'", "history = 'x'"]) func aRevisionIsReadAlone(change: String) throws {
        for id in ["a", "bad"] { try fixture.collection.put(id, ["n": 1]) }
        try damage(change)
        var failures: [Int: StoreError] = [:]
        let revisions = try fixture.store.revisions(of: ["a", "bad"], in: .default) { failures[$0] = $1 }
        #expect(revisions.map { $0?.documentID } == ["a", nil])
        #expect(failures.mapValues(\.code) == [1: .corruptData] && failures[1]?.context["document"] == "bad")
        let error = #expect(throws: StoreError.self) { try fixture.revision("bad") }
        #expect(error?.code == .corruptData)
    }

    @Test func whatTheRemoteHasIsNotedOfTheOthers() throws {
        let documents = try ["bad", "a"].map { try fixture.collection.put($0, ["n": 1]) }
        try damage("revision = 'x'")
        try fixture.store.markKnownToRemote(
            documents.map {
                AcknowledgedRevision(documentID: $0.id, revision: try #require(RevisionID($0.revisionID ?? "")))
            }, in: .default)
        #expect(try fixture.revision("a")?.isKnownToRemote == true)
    }

    /// Nobody knows whether it has edits that would have to be quarantined.
    @Test func itIsNotPurged() throws {
        for id in ["a", "bad"] { _ = try fixture.pull(id, "1-aa") }
        try damage("revision = 'x'")
        var kept: [String] = []
        let purged = try fixture.store.purge(
            ["bad", "a"], in: .default, quarantine: true, unreadable: { id, _ in kept.append(id) })
        #expect(purged == ["a"] && Set(kept) == ["bad"])
        #expect(
            performing: { try fixture.store.purge(["bad"], in: .default, quarantine: true) },
            throws: isCode(.corruptData))
    }

    /// Damaged pages, a full disk and a lock concern all documents.
    @Test func errorsOfTheDatabaseAreOfNoDocument() {
        for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY] {
            #expect(throws: DatabaseError.self) {
                try StoreError.unreadable("a", because: DatabaseError(resultCode: code))
            }
        }
        #expect(throws: StoreError.self) {
            try StoreError.unreadable("a", because: StoreError(.diskFull, message: "full"))
        }
    }
}
