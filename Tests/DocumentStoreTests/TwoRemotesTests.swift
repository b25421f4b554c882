import DocumentStore
import DocumentValues
import Testing

/// A document that two remotes have on different branches: what won at one goes to the other under a name of its own.
@Suite struct TwoRemotesTests {
    let fixture: ReplicationFixture
    let other: ReplicationStore

    /// `a` came as 2-aa from the fixture's remote, and as 2-bb from the other, which won.
    init() throws {
        fixture = try ReplicationFixture()
        other = try ReplicationStore(database: fixture.database, remote: "wss://other/db")
        _ = try fixture.pull("a", "1-cc", #"{"n":0}"#)
        _ = try fixture.pull("a", "2-aa", history: "1-cc", #"{"n":"aa"}"#)
        #expect(try pullOther("2-bb", history: "1-cc", #"{"n":"bb"}"#) == "conflict")
        try settle(.remote)
    }

    private func pullOther(_ revision: String, history: String, _ body: String) throws -> String {
        let pulled = PulledRevision(
            documentID: "a", revision: RevisionID(revision)!, history: RevisionHistory(parsing: history)!,
            isDeleted: false, body: try DocumentBody(reading: Array(body.utf8)))
        return try other.insert([pulled], in: .default)[0].name
    }

    private func settle(_ resolution: ConflictResolution) throws {
        let conflict = try #require(try other.conflict(of: "a", in: .default))
        #expect(try other.resolve(conflict, in: .default, with: resolution))
    }

    /// The remote has acknowledged what goes to it; under which name.
    @discardableResult
    private func acknowledge() throws -> RevisionID {
        let local = try #require(try fixture.revision())
        let branch = try #require(local.branch)
        try fixture.store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "a", revision: branch, localRevision: local.revision)], in: .default)
        return branch
    }

    private func decide(_ revision: RevisionID) throws -> RowDecision {
        try fixture.store.decide([("a", revision)], in: .default)[0]
    }

    @Test func whatWonGoesToTheOtherAsAChildOfItsRevision() throws {
        let local = try #require(try fixture.revision())
        #expect(local.revision.description == "2-bb" && local.remoteRevision?.description == "2-aa")
        let branch = try #require(local.branch)
        #expect(branch.treeRevision?.generation == 3 && !local.isInConflict && !local.isKnownToRemote)
        #expect(try fixture.revision()?.branch == branch, "the same each time: a repeated push is recognized")
        #expect(try fixture.changes().map(\.documentID) == ["a"])
        #expect(try other.revision(of: "a", in: .default)?.isKnownToRemote == true)
        #expect(try other.changes(in: .default, after: 0, limit: 9).changes.isEmpty)
    }

    @Test func whatWasAcknowledgedIsNoChange() throws {
        let branch = try acknowledge()
        #expect(try fixture.changes().isEmpty)
        let local = try #require(try fixture.revision())
        #expect(local.isKnownToRemote && local.branch == nil)
        #expect(local.revision.description == "2-bb" && local.remoteRevision == branch)
        #expect(try decide(branch) == .have, "its own echo")
        #expect(try other.changes(in: .default, after: 0, limit: 9).changes.isEmpty)
        // Nothing was edited here that the remote lacks.
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true)
        #expect(try fixture.database.quarantinedDocuments().isEmpty)
    }

    @Test func theLosingRevisionIsNotAskedForAgain() throws {
        #expect(try decide(RevisionID("2-aa")!) == .have)
        #expect(try fixture.pull("a", "2-aa", history: "1-cc", #"{"n":"aa"}"#).name == "alreadyThere")
        #expect(try fixture.json() == #"{"n":"bb"}"#)
    }

    @Test func editsGoOnOnBothBranches() throws {
        let first = try acknowledge()
        try fixture.collection.put("a", ["n": "here"])
        let local = try #require(try fixture.revision())
        #expect(local.revision.treeRevision?.generation == 3 && local.remoteRevision == first)
        #expect(local.branch?.treeRevision?.generation == 4)
        // The body that the remote has is the one that the edit started from.
        #expect(
            try fixture.store.bodies(of: [("a", first)], in: .default).map {
                $0.map { String(decoding: $0, as: UTF8.self) }
            }
                == [#"{"n":"bb"}"#])
        let second = try acknowledge()
        #expect(second == local.branch && second != first)
        #expect(try fixture.changes().isEmpty)
    }

    @Test func aNewRevisionOfTheRemoteIsNoConflictUnlessThereWasAnEditHere() throws {
        let branch = try acknowledge()
        let next = "\(branch.treeRevision!.generation + 1)-dd"
        #expect(try fixture.pull("a", next, history: "\(branch),2-aa,1-cc", #"{"n":"dd"}"#).name == "inserted")
        #expect(try fixture.json() == #"{"n":"dd"}"#)
        // Now the other one is on a branch that is not ours.
        #expect(try fixture.revision()?.branch == nil)
        #expect(try other.revision(of: "a", in: .default)?.branch?.treeRevision?.generation == 3)

        try fixture.collection.put("a", ["n": "here"])
        let after = "\(branch.treeRevision!.generation + 2)-ee"
        #expect(try fixture.pull("a", after, history: "\(next),\(branch)", #"{"n":"ee"}"#).name == "conflict")
        let conflicted = try #require(try fixture.revision())
        #expect(conflicted.isInConflict && conflicted.branch == nil, "the resolver comes first")
    }

    @Test func anEditOnTopOfAnotherBranchConflictsWithTheRemotesNext() throws {
        let branch = try acknowledge()
        try fixture.collection.put("a", ["n": "here"])
        #expect(try fixture.pull("a", "4-dd", history: "\(branch),2-aa,1-cc", #"{"n":"dd"}"#).name == "conflict")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .local))
        let local = try #require(try fixture.revision())
        #expect(local.branch == nil && local.history.ancestors.first?.description == "4-dd")
    }

    @Test func aDeletionGoesToBoth() throws {
        try acknowledge()
        try fixture.collection.delete(document: #require(try fixture.collection.document(id: "a")))
        let local = try #require(try fixture.revision())
        #expect(local.isDeleted && local.branch?.treeRevision?.generation == 4)
        try acknowledge()
        #expect(try fixture.changes().isEmpty)
        #expect(try other.changes(in: .default, after: 0, limit: 9).changes.map(\.isDeleted) == [true])
    }
}
