import DocumentStore
import DocumentValues
import Testing

/// A remote that was restored from a backup has lost revisions that are here, and goes on from older ones.
@Suite struct LostRevisionTests {
    let fixture: ReplicationFixture

    /// `a` came as 1-aa, was edited here, and the remote has that.
    init() throws {
        fixture = try ReplicationFixture()
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try fixture.collection.put("a", ["n": "ours"])
        try fixture.acknowledge(try #require(try fixture.collection.document(id: "a")))
    }

    struct Row: Sendable {
        let revision: String
        let history: String
        var isDeleted = false
        var keepsLost = true
        let outcome: String
    }

    @Test(arguments: [
        Row(revision: "2-ff", history: "1-aa", outcome: "conflict"),
        Row(revision: "3-ff", history: "2-ee,1-aa", outcome: "conflict"),
        Row(revision: "1-ff", history: "", outcome: "conflict"),
        Row(revision: "2-ff", history: "1-aa", keepsLost: false, outcome: "inserted"),
        Row(revision: "2-ff", history: "1-aa", isDeleted: true, outcome: "inserted"),
        // What was cut off may have had the revision that is here.
        Row(revision: "9-ff", history: "8-ee,7-dd", outcome: "inserted"),
    ])
    func whatTheRemoteHadIsInConflictWithWhatItHasInstead(row: Row) throws {
        let outcome = try fixture.pull(
            "a", row.revision, history: row.history, deleted: row.isDeleted, keepsLost: row.keepsLost, #"{"n":2}"#)
        #expect(outcome.name == row.outcome)
        let conflict = try fixture.store.conflict(of: "a", in: .default)
        #expect((conflict != nil) == (row.outcome == "conflict"))
        guard let conflict else { return }
        #expect(String(decoding: conflict.local.body, as: UTF8.self) == #"{"n":"ours"}"#)
        #expect(conflict.base == nil)
        #expect(try fixture.store.resolve(conflict, in: .default, with: .merged(Array(#"{"n":3}"#.utf8))))
        #expect(try fixture.changes().map(\.remoteRevision?.description) == [row.revision])
    }

    @Test func whatFollowsIsNoConflict() throws {
        let present = try #require(try fixture.revision()).revision.description
        #expect(try fixture.pull("a", "3-ff", history: "\(present),1-aa", keepsLost: true).name == "inserted")
    }

    @Test func aDeletionHereIsFollowed() throws {
        try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "a")))
        let deletion = try #require(try fixture.revision()).revision
        try fixture.store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "a", revision: deletion)], in: .default)
        #expect(try fixture.pull("a", "2-ff", history: "1-aa", keepsLost: true, #"{"n":2}"#).name == "inserted")
        #expect(try fixture.json() == #"{"n":2}"#)
    }

    /// The remote had the revision, has lost it and refuses it from us; then somebody else sends it.
    @Test func whatSomebodyElseSendsLeavesTheOutbox() throws {
        let present = try #require(try fixture.revision()).revision
        try fixture.store.recordRejection(of: "a", revision: present, code: 403, reason: "no", in: .default)
        #expect(try fixture.store.decide([("a", RevisionID("1-aa")!)], in: .default) == [.have])
        #expect(try fixture.store.rejections(in: .default).count == 1)
        #expect(try fixture.store.decide([("a", present)], in: .default) == [.have])
        #expect(try fixture.store.rejections(in: .default).isEmpty)
    }

    /// It goes to a remote that has nothing, or an older revision; one that has the lost revision again has another branch.
    @Test func whatReplacesALostRevisionFollowsWhatThatFollowed() throws {
        let lost = try #require(try fixture.revision()).revision
        try fixture.collection.replaceLost(id: "a", body: Array(#"{"n":3}"#.utf8))
        let change = try #require(try fixture.changes().first)
        #expect(change.remoteRevision?.description == "1-aa" && change.revision != lost)
        let again = try fixture.pull(
            "a", lost.description, history: "1-aa", keepsLost: true, #"{"n":"ours"}"#)
        #expect(again.name == "conflict")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(conflict.base == nil && String(decoding: conflict.local.body, as: UTF8.self) == #"{"n":3}"#)
    }
}
