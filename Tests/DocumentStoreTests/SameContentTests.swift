import DocumentValues
import Testing

@testable import DocumentStore

/// A document that is exchanged with two remotes, one of which gives the content that is here an id of its own: that
/// must not travel on as something new.
@Suite struct SameContentTests {
    let fixture: ReplicationFixture
    let other: ReplicationStore

    /// `a` came as 1-cc and then as 2-aa from the fixture's remote.
    init() throws {
        fixture = try ReplicationFixture()
        other = try ReplicationStore(database: fixture.database, remote: "wss://other/db")
        _ = try fixture.pull("a", "1-cc", #"{"n":0,"m":[true]}"#)
        _ = try fixture.pull("a", "2-aa", history: "1-cc", #"{"n":1,"m":[true]}"#)
    }

    private func pullOther(
        _ revision: String, history: String = "", deleted: Bool = false, _ body: String = #"{"m":[true],"n":1.0}"#
    ) throws -> String {
        let pulled = PulledRevision(
            documentID: "a", revision: RevisionID(revision)!, history: RevisionHistory(parsing: history)!,
            isDeleted: deleted, body: try DocumentBody(reading: Array(body.utf8)))
        return try other.insert([pulled], in: .default)[0].name
    }

    private func unpushed() throws -> [String] {
        try [fixture.store, other].flatMap { store in
            try store.changes(in: .default, after: 0, limit: 9).changes.map { "\($0.documentID) to \(store.remote)" }
        }
    }

    private func known(_ store: ReplicationStore) throws -> String? {
        try store.revision(of: "a", in: .default)?.remoteRevision?.description
    }

    @Test func anotherNameForWhatIsHereIsNoNewRevision() throws {
        let before = try #require(try fixture.revision())
        #expect(try pullOther("5-bb", history: "4-xx") == "sameContent")
        #expect(try fixture.revision() == before, "not even a new sequence")
        #expect(try known(other) == "5-bb")
        #expect(try unpushed().isEmpty)
        #expect(try other.decide([("a", RevisionID("5-bb")!)], in: .default) == [.have])
        #expect(try pullOther("5-bb", history: "4-xx") == "alreadyThere")

        try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.revision()?.branch == nil)
        let branch = try other.revision(of: "a", in: .default)?.branch
        #expect(branch?.treeRevision?.generation == 6)
        #expect(try unpushed().count == 2, "an edit goes to both")
    }

    @Test func theNextRevisionOfThatNameIsNoConflict() throws {
        _ = try pullOther("5-bb", history: "4-xx")
        #expect(try pullOther("6-dd", history: "5-bb,4-xx", #"{"n":7}"#) == "inserted")
        #expect(try fixture.json() == #"{"n":7}"#)
        #expect(try unpushed() == ["a to wss://gateway/db"])
        #expect(try fixture.revision()?.branch?.treeRevision?.generation == 3)
    }

    @Test func aRemoteAloneIsTakenAsItIs() throws {
        #expect(try fixture.pull("a", "3-dd", history: "2-aa", #"{"n":1,"m":[true]}"#).name == "inserted")
        #expect(try fixture.revision()?.revision.description == "3-dd")
        try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.pull("a", "4-ee", history: "3-dd", #"{"n":2}"#).name == "conflict")
    }

    /// The same edit here and there.
    @Test func anEditThatTheRemoteHasToo() throws {
        _ = try pullOther("5-bb", history: "4-xx")
        try fixture.collection.put("a", ["n": 2])
        let edit = try #require(try fixture.revision()?.revision)
        try other.recordRejection(of: "a", revision: edit, code: 403, reason: "no", in: .default)
        try fixture.store.recordRejection(of: "a", revision: edit, code: 403, reason: "no", in: .default)
        #expect(try pullOther("6-dd", history: "5-bb", #"{"n":2}"#) == "sameContent")
        #expect(try unpushed() == ["a to wss://gateway/db"])
        #expect(try fixture.database.rejectedPushes().map(\.remote) == ["wss://gateway/db"])
        _ = try other.purge(["a"], in: .default, quarantine: true)
        #expect(try fixture.database.quarantinedDocuments().isEmpty)
    }

    @Test func deletionsAreTheSameWhateverIsLeftOfTheBody() throws {
        #expect(try pullOther("5-bb", deleted: true) == "conflict")
        let conflict = try #require(try other.conflict(of: "a", in: .default))
        #expect(try other.resolve(conflict, in: .default, with: .remote))
        #expect(try fixture.revision()?.revision.description == "5-bb", "no tombstone on top that nobody needs")
        #expect(try unpushed() == ["a to wss://gateway/db"])
        let tombstone = try fixture.pull("a", "3-dd", history: "2-aa", deleted: true, #"{"left":1}"#)
        #expect(tombstone.name == "sameContent")
        #expect(try unpushed().isEmpty)
    }

    /// What was pushed there and is heard of from there, its acknowledgement lost.
    @Test func anEchoUnderAnotherName() throws {
        #expect(try pullOther("2-bb", history: "1-cc", #"{"n":2}"#) == "conflict")
        let conflict = try #require(try other.conflict(of: "a", in: .default))
        #expect(try other.resolve(conflict, in: .default, with: .remote))
        let branch = try #require(try fixture.revision()?.branch)
        #expect(try fixture.pull("a", "\(branch)", history: "2-aa,1-cc", #"{"n":2}"#).name == "sameContent")
        #expect(try unpushed().isEmpty)
    }

    @Test(arguments: [ConflictResolution.local, .merged(Array(#"{"m":[true],"n":1}"#.utf8))])
    func whatWinsAtOneIsNotSentToTheOtherThatHasIt(resolution: ConflictResolution) throws {
        #expect(try pullOther("2-bb", history: "1-cc", #"{"n":2}"#) == "conflict")
        let conflict = try #require(try other.conflict(of: "a", in: .default))
        #expect(try other.resolve(conflict, in: .default, with: resolution))
        #expect(try unpushed() == ["a to wss://other/db"])
        #expect(try known(fixture.store) == "2-aa")
        try fixture.collection.put("a", ["n": 3])
        #expect(try fixture.revision()?.branch?.treeRevision?.generation == 3)
    }

    @Test func aMergeGoesToBoth() throws {
        #expect(try pullOther("2-bb", history: "1-cc", #"{"n":2}"#) == "conflict")
        let conflict = try #require(try other.conflict(of: "a", in: .default))
        #expect(try other.resolve(conflict, in: .default, with: .merged(Array(#"{"n":3}"#.utf8))))
        #expect(try unpushed().count == 2)
    }

    @Test func aConflictEndsWhereTheRemoteTakesWhatIsHere() throws {
        #expect(try pullOther("2-bb", history: "1-cc", #"{"n":2}"#) == "conflict")
        #expect(try pullOther("3-dd", history: "2-bb,1-cc") == "sameContent")
        #expect(try other.conflicts(in: .default).isEmpty)
        #expect(try unpushed().isEmpty)
        #expect(try other.revision(of: "a", in: .default)?.isInConflict == false)
    }

    /// Another folder has pushed there what is known here, under the name that it has here.
    @Test func whereTheRemoteWentOnItsOwnOrderCounts() throws {
        _ = try fixture.pull("a", "7-dd", history: "6-yy,2-aa", #"{"n":3}"#)
        #expect(try pullOther("5-bb", history: "4-xx", #"{"n":3}"#) == "sameContent")
        #expect(try other.decide([("a", RevisionID("2-aa")!)], in: .default) == [.have])
        #expect(try known(other) == "5-bb", "2-aa was there before")

        #expect(try other.decide([("a", RevisionID("6-yy")!)], in: .default) == [.have])
        #expect(try known(other) == "6-yy")
        #expect(try unpushed() == ["a to wss://other/db"], "what is here follows it")
        let sequence = try fixture.store.lastSequence(in: .default)
        #expect(try fixture.revision()?.sequence == sequence, "or the push would not look at it")

        #expect(try other.decide([("a", RevisionID("7-dd")!)], in: .default) == [.have])
        #expect(try known(other) == "7-dd")
        #expect(try unpushed().isEmpty)
    }

    @Test func whatIsHereByItsOwnNameCountsMore() throws {
        _ = try fixture.pull("a", "7-dd", history: "6-yy,2-aa", #"{"n":3}"#)
        _ = try pullOther("5-bb", history: "4-xx", #"{"n":3}"#)
        #expect(try other.decide([("a", RevisionID("7-dd")!)], in: .default) == [.have])
        #expect(try known(other) == "7-dd")
        #expect(try unpushed().isEmpty)
    }

    /// While an edit is on its way to one remote, the other's next revision replaces it.
    @Test(arguments: [true, false]) func whatWasReplacedOnItsWayIsKnownToBeThere(hasOtherName: Bool) throws {
        if hasOtherName { _ = try pullOther("5-bb", history: "4-xx") } else { _ = try pullOther("2-aa") }
        try fixture.collection.put("a", ["n": 2])
        let sent = try #require(try other.revision(of: "a", in: .default))
        #expect((sent.branch != nil) == hasOtherName)
        try fixture.acknowledge(try #require(try fixture.collection.document(id: "a")))
        _ = try fixture.pull("a", "8-ee", history: "7-zz,2-aa", #"{"n":3}"#)

        let name = sent.branch ?? sent.revision
        let known = AcknowledgedRevision(
            documentID: "a", revision: name, localRevision: sent.branch == nil ? nil : sent.revision)
        try other.markKnownToRemote([known], in: .default)
        #expect(try other.decide([("a", name)], in: .default) == [.have], "its echo")
        #expect(try unpushed() == ["a to wss://other/db"])
        #expect(
            try other.revision(of: "a", in: .default)?.branch?.treeRevision?.generation == name.treeRevision!.generation
                + 1)
    }

    /// Who pushes goes on from what he pushed.
    @Test func aPeersPushIsTakenAsItIs() throws {
        _ = try pullOther("5-bb", history: "4-xx")
        #expect(try fixture.push("a", "3-dd", history: "2-aa", #"{"n":1,"m":[true]}"#).name == "inserted")
        #expect(try fixture.revision()?.revision.description == "3-dd")
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1,"b":null}"#, false), (#"{"a":1,"b":2}"#, #"{"b":2e0,"a":1}"#, true),
        (
            #"{"_attachments":{"x":{"digest":"d","revpos":1,"stub":true}}}"#,
            #"{"_attachments":{"x":{"revpos":3,"digest":"d"}}}"#, true
        ),
        (#"{"_attachments":{"x":{"digest":"d"}}}"#, #"{"_attachments":{"x":{"digest":"e"}}}"#, false),
        (#"{"_attachments":{"x":{"digest":"d"}}}"#, "{}", false), (#"{"revpos":1}"#, #"{"revpos":2}"#, false),
    ])
    func contentIsWhatAPersonWouldSee(one: String, another: String, isSame: Bool) throws {
        let contents = try [one, another].map { body in
            RevisionContent(
                PulledRevision(
                    documentID: "a", revision: RevisionID("1-a")!, history: RevisionHistory(), isDeleted: false,
                    body: try DocumentBody(reading: Array(body.utf8))))
        }
        #expect(try contents[0].isSame(as: contents[1]) == isSame)
        #expect(try contents[1].isSame(as: contents[0]) == isSame)
    }
}
