import DocumentStore
import DocumentValues
import Testing

/// The id of a deletion can be known before it is made, and a remote may have something live under it.
@Suite struct TakenDeletionTests {
    let fixture: ReplicationFixture
    let deletion: RevisionID

    /// `a` came as 1-aa and was deleted here.
    init() throws {
        fixture = try ReplicationFixture()
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "a")))
        deletion = try #require(try fixture.revision()).revision
    }

    private func decision(isDeleted: Bool) throws -> RowDecision {
        let row = AnnouncedRevision(documentID: "a", revision: deletion, isDeleted: isDeleted)
        return try fixture.store.decide([row], in: .default)[0]
    }

    private func acknowledge() throws {
        let known = AcknowledgedRevision(documentID: "a", revision: deletion)
        try fixture.store.markKnownToRemote([known], in: .default)
    }

    /// Also where the remote has said that it knows the deletion, as it did by the id alone.
    @Test(arguments: [false, true]) func whatIsLiveUnderItIsFetched(isAcknowledged: Bool) throws {
        if isAcknowledged { try acknowledge() }
        #expect(try decision(isDeleted: false) == .wanted(ancestors: [RevisionID("1-aa")!]))
        #expect(try fixture.changes().isEmpty == isAcknowledged, "it is not taken for sent")
        #expect(try decision(isDeleted: true) == .have)
    }

    @Test(arguments: [false, true]) func whatIsLiveUnderItIsInConflict(isDeletionKept: Bool) throws {
        let live = #"{"n":"theirs"}"#
        #expect(try fixture.pull("a", deletion.description, history: "1-aa", live).name == "conflict")
        #expect(try decision(isDeleted: false) == .have)
        #expect(try fixture.pull("a", deletion.description, history: "1-aa", live).name == "alreadyThere")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(conflict.local.isDeleted && !conflict.remote.isDeleted)
        #expect(String(decoding: conflict.remote.body, as: UTF8.self) == live)
        #expect(conflict.base.map { String(decoding: $0, as: UTF8.self) } == #"{"n":1}"#)
        #expect(try fixture.store.resolve(conflict, in: .default, with: isDeletionKept ? .deleted : .remote))
        #expect(try fixture.json() == (isDeletionKept ? nil : live))
        #expect(fixture.collection.count == (isDeletionKept ? 0 : 1))
        #expect(try fixture.store.conflicts(in: .default).isEmpty)
        let changes = try fixture.changes()
        let replaced: [RevisionID?] = isDeletionKept ? [deletion] : []
        #expect(changes.map(\.remoteRevision) == replaced)
        #expect(changes.allSatisfy { $0.isDeleted && $0.revision != deletion })
    }

    @Test func whatIsLiveUnderItIsNotAccepted() throws {
        #expect(try fixture.push("a", deletion.description, history: "1-aa", #"{"n":2}"#).name == "conflict")
        #expect(try fixture.store.conflicts(in: .default).isEmpty && fixture.json() == nil)
    }

    struct Row: Sendable {
        var isAcknowledged = false
        var keepsLost = true
        var isDeleted = false
        let outcome: String
    }

    /// The history of a revision that arrives may name a deletion that no user had made.
    @Test(arguments: [
        Row(outcome: "conflict"), Row(isAcknowledged: true, outcome: "inserted"),
        Row(keepsLost: false, outcome: "inserted"), Row(isDeleted: true, outcome: "inserted"),
    ])
    func whatFollowsADeletionThatWasNotSent(row: Row) throws {
        if row.isAcknowledged { try acknowledge() }
        let outcome = try fixture.pull(
            "a", "3-ee", history: "\(deletion),1-aa", deleted: row.isDeleted, keepsLost: row.keepsLost, #"{"n":3}"#)
        #expect(outcome.name == row.outcome)
        guard row.outcome == "conflict" else { return }
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .deleted))
        #expect(try fixture.changes().map(\.remoteRevision?.description) == ["3-ee"])
    }
}
