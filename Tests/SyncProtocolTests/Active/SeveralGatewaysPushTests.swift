import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Content that another gateway has, too, under another revision id.
@Suite struct SeveralGatewaysPushTests {
    /// The gateway has `1-other`, against which another gateway's revision has won.
    private func onAnotherBranch() throws -> (client: ModelClient, branch: RevisionID) {
        var client = ModelClient.editing("a")
        client.collections[0].documents["a"]?.remote = RevisionID("1-other")
        let body = try #require(client.collections[0].documents["a"]?.current.body)
        return (
            client,
            RevisionDigest.clientRevision(parent: RevisionID("1-other"), body: body, isDeleted: false)
        )
    }

    @Test(arguments: [true, false]) func whatWonElsewhereIsSentAsAChildOfWhatIsThere(isRemembered: Bool) throws {
        var (client, branch) = try onAnotherBranch()
        // A gateway that has lost its checkpoint may have lost more; it says itself what it has.
        if !isRemembered { client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8) }
        var gateway = try ScriptedGateway.opened(client)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.serverRevision) == [isRemembered ? "1-other" : ""])
        if !isRemembered { try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-other"}]"#) }
        try gateway.answer(.proposeChanges)
        let rev = try #require(gateway.sent(.rev).first?.properties)
        #expect(rev["rev"] == branch.description && rev["history"] == "1-other")
        try gateway.answer(.rev)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure) == [nil])
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.remote == branch && document.localRevision == document.current.id)
    }

    /// The acknowledgement of an earlier push was lost.
    @Test func whatTheGatewayHasUnderAnotherNameIsNotSentAgain() throws {
        let (client, branch) = try onAnotherBranch()
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(branch)"}]"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.rev).isEmpty && gateway.peer.events.isEmpty)
        #expect(gateway.peer.closing?.failure == nil)
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.remote == branch && document.localRevision == document.current.id)
    }

    /// Before the proposal is answered, or after it was answered with another revision.
    @Test(arguments: [true, false]) func whatThePullBringsUnderAnotherNameIsNotSent(isApproved: Bool) throws {
        var (client, _) = try onAnotherBranch()
        client.repeated = ["a"]
        var gateway = try ScriptedGateway.opened(client)
        if !isApproved { try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"2-cc"}]"#) }
        _ = gateway.announce(#"[[7,"a","2-cc"]]"#)
        gateway.sendRev("a", "2-cc", sequence: "7")
        if isApproved { try gateway.answer(.proposeChanges) }
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.rev).isEmpty && gateway.sent(.proposeChanges).isEmpty)
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.isEmpty, "nothing came, and nothing went")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.remote == RevisionID("2-cc"))
    }
}
