import DocumentStore
import DocumentValues
import Testing

/// Resolutions in a revision tree: the remote's branch goes on, whichever wins.
@Suite struct ReplicationConflictTests {
    let fixture: ReplicationFixture

    /// `a` was synced as 1-aa, then edited here and, as 2-ff, on the remote.
    init() throws {
        fixture = try ReplicationFixture()
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try fixture.collection.put("a", ["n": "local"])
    }

    private func collide(remoteDeleted: Bool = false) throws -> DocumentConflict {
        let body = remoteDeleted ? "{}" : #"{"n":"remote"}"#
        #expect(try fixture.pull("a", "2-ff", history: "1-aa", deleted: remoteDeleted, body).name == "conflict")
        return try #require(try fixture.store.conflict(of: "a", in: .default))
    }

    @Test func bothSidesAndWhatTheyStartedFromAreKept() throws {
        let conflict = try collide()
        #expect(String(decoding: conflict.local.body, as: UTF8.self) == #"{"n":"local"}"#)
        #expect(String(decoding: conflict.remote.body, as: UTF8.self) == #"{"n":"remote"}"#)
        #expect(conflict.base.map { String(decoding: $0, as: UTF8.self) } == #"{"n":1}"#)
        #expect(!conflict.isBaseDoubtful)
        #expect(conflict.remote.revision.description == "2-ff" && conflict.remote.history.description == "1-aa")
        #expect(try fixture.json() == #"{"n":"local"}"#, "the local side stays current until it is resolved")
        #expect(try fixture.revision()?.remoteRevision?.description == "2-ff")
        #expect(try fixture.store.conflicts(in: .default).map(\.documentID) == ["a"])
    }

    /// A day without a network makes more revisions than a history has. So do many edits of what a backup has lost.
    @Test(arguments: [(10, true), (1, false)])
    func theBaseIsDoubtfulWhereTheHistoryIsCut(oldest: Int, isKnown: Bool) throws {
        let history = (oldest..<60).reversed().map { "\($0)-ee" }.joined(separator: ",")
        #expect(try fixture.pull("a", "60-ff", history: history, #"{"n":"remote"}"#).name == "conflict")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect((conflict.base != nil) == isKnown && conflict.isBaseDoubtful == isKnown)
    }

    struct Row: Sendable {
        var localDeleted = false
        var remoteDeleted = false
        let resolution: ConflictResolution
        let json: String?
        /// `nil`: nothing to push, the remote's revision is current.
        let pushed: (deleted: Bool, body: String)?
    }

    @Test(arguments: [
        Row(resolution: .remote, json: #"{"n":"remote"}"#, pushed: nil),
        Row(resolution: .local, json: #"{"n":"local"}"#, pushed: (false, #"{"n":"local"}"#)),
        Row(
            resolution: .merged(Array(#"{"n":"both"}"#.utf8)), json: #"{"n":"both"}"#, pushed: (false, #"{"n":"both"}"#)
        ),
        Row(resolution: .deleted, json: nil, pushed: (true, "{}")),
        Row(remoteDeleted: true, resolution: .remote, json: nil, pushed: (true, "{}")),
        Row(remoteDeleted: true, resolution: .local, json: #"{"n":"local"}"#, pushed: (false, #"{"n":"local"}"#)),
        Row(remoteDeleted: true, resolution: .deleted, json: nil, pushed: (true, "{}")),
        Row(localDeleted: true, resolution: .remote, json: #"{"n":"remote"}"#, pushed: nil),
        Row(localDeleted: true, resolution: .local, json: nil, pushed: (true, "{}")),
        Row(localDeleted: true, resolution: .deleted, json: nil, pushed: (true, "{}")),
        Row(localDeleted: true, remoteDeleted: true, resolution: .remote, json: nil, pushed: nil),
        Row(localDeleted: true, remoteDeleted: true, resolution: .local, json: nil, pushed: nil),
        Row(localDeleted: true, remoteDeleted: true, resolution: .deleted, json: nil, pushed: nil),
    ])
    func resolving(row: Row) throws {
        if row.localDeleted {
            try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "a")))
        }
        let conflict = try collide(remoteDeleted: row.remoteDeleted)
        #expect(try fixture.store.resolve(conflict, in: .default, with: row.resolution))
        #expect(try fixture.json() == row.json)
        #expect(try fixture.store.conflicts(in: .default).isEmpty)
        let revision = try #require(try fixture.revision())
        #expect(revision.remoteRevision?.description == "2-ff")
        guard let pushed = row.pushed else {
            #expect(revision.revision.description == "2-ff")
            return #expect(try fixture.changes().isEmpty)
        }
        #expect(revision.revision.treeRevision?.generation == 3 && revision.history.description == "2-ff,1-aa")
        #expect(revision.isDeleted == pushed.deleted && String(decoding: revision.body, as: UTF8.self) == pushed.body)
        #expect(try fixture.changes().map(\.remoteRevision?.description) == ["2-ff"])
        #expect(fixture.collection.count == (row.json == nil ? 0 : 1))
    }

    /// A gateway hears by that of whose record it was, and who is to hear of its deletion.
    @Test(arguments: [ConflictResolution.local, .deleted])
    func aDeletionKeepsWhatItSays(resolution: ConflictResolution) throws {
        let document = try #require(try fixture.collection.document(id: "a"))
        try fixture.collection.delete(document: document, leaving: ["channels": ["hill"]])
        #expect(try fixture.store.resolve(try collide(), in: .default, with: resolution))
        let revision = try #require(try fixture.revision())
        #expect(revision.isDeleted && String(decoding: revision.body, as: UTF8.self) == #"{"channels":["hill"]}"#)
    }

    @Test func theAnswerToADeletionSaysWhatThatSays() throws {
        let said = #"{"channels":["hill"]}"#
        #expect(try fixture.pull("a", "2-ff", history: "1-aa", deleted: true, said).name == "conflict")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .remote))
        let revision = try #require(try fixture.revision())
        #expect(revision.isDeleted && String(decoding: revision.body, as: UTF8.self) == said)
    }

    @Test func aSaveDuringResolutionIsNotLost() throws {
        let conflict = try collide()
        try fixture.collection.put("a", ["n": "edited meanwhile"])
        #expect(try !fixture.store.resolve(conflict, in: .default, with: .remote))
        let again = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(again, in: .default, with: .local))
        #expect(try fixture.json() == #"{"n":"edited meanwhile"}"#)
    }

    /// One commit for all of them; a side that changed meanwhile keeps none of the others back.
    @Test func severalEndTogether() throws {
        let first = try collide()
        _ = try fixture.pull("b", "1-aa", #"{"n":1}"#)
        try fixture.collection.put("b", ["n": "local"])
        _ = try fixture.pull("b", "2-ff", history: "1-aa", #"{"n":"remote"}"#)
        let second = try #require(try fixture.store.conflict(of: "b", in: .default))
        try fixture.collection.put("a", ["n": "edited meanwhile"])
        let before = try fixture.store.lastSequence(in: .default)
        let decided = [DecidedConflict(first, resolution: .remote), DecidedConflict(second, resolution: .remote)]
        #expect(try fixture.store.resolve(decided, in: .default) == [false, true])
        #expect(try fixture.json() == #"{"n":"edited meanwhile"}"#)
        #expect(try fixture.store.conflicts(in: .default).map(\.documentID) == ["a"])
        #expect(try fixture.store.lastSequence(in: .default) == before + 1)
        #expect(try fixture.store.resolve([], in: .default).isEmpty)
    }

    @Test func aNewerRemoteRevisionDuringResolutionIsNotLost() throws {
        let conflict = try collide()
        #expect(try fixture.pull("a", "3-ff", history: "2-ff", #"{"n":"newer"}"#).name == "conflict")
        #expect(try !fixture.store.resolve(conflict, in: .default, with: .remote))
        let again = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(again.remote.history.description == "2-ff,1-aa")
        #expect(try fixture.store.resolve(again, in: .default, with: .remote))
        #expect(try fixture.json() == #"{"n":"newer"}"#)
    }

    @Test func announcementsKnowTheConflictingBranch() throws {
        _ = try collide()
        let rows = ["2-ff", "3-ff"].map { (documentID: "a", revision: RevisionID($0)!) }
        #expect(
            try fixture.store.decide(rows, in: .default)
                == [.have, .wanted(ancestors: [RevisionID("2-ff")!, RevisionID("1-aa")!])])
        #expect(try fixture.pull("a", "2-ff", history: "1-aa").name == "alreadyThere")
    }

    @Test func aRemoteThatTookTheLocalEditEndsTheConflict() throws {
        let local = try #require(try fixture.revision())
        _ = try collide()
        let outcome = try fixture.pull("a", "3-dd", history: "\(local.revision),1-aa", #"{"n":"merged there"}"#)
        #expect(outcome.name == "inserted")
        #expect(try fixture.store.conflicts(in: .default).isEmpty && fixture.json() == #"{"n":"merged there"}"#)
    }

    @Test func anUnknownBranchIsAConflictToo() throws {
        try fixture.collection.put("b", ["n": "local"])
        #expect(try fixture.pull("b", "1-ff", #"{"n":"remote"}"#).name == "conflict")
        #expect(try fixture.store.conflict(of: "b", in: .default)?.base == nil)
    }

    @Test func conflictsSurviveReopeningAndPurgingEndsThem() throws {
        _ = try collide()
        try fixture.database.close()
        let database = try fixture.folder.open()
        let store = try ReplicationStore(database: database, remote: "wss://gateway/db")
        #expect(try store.conflicts(in: .default).count == 1)
        _ = try store.purge(["a"], in: .default, quarantine: true)
        #expect(try store.conflicts(in: .default).isEmpty)
        #expect(try database.quarantinedDocuments().map(\.documentID) == ["a"])
    }

    @Test func resolvingTwiceChangesNothing() throws {
        let conflict = try collide()
        #expect(try fixture.store.resolve(conflict, in: .default, with: .local))
        let revision = try fixture.revision()
        #expect(try !fixture.store.resolve(conflict, in: .default, with: .remote))
        #expect(try fixture.revision() == revision)
    }
}
