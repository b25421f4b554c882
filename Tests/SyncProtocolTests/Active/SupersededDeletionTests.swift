import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// The gateway had a document of this id, and it was deleted; meanwhile one of the same id is pushed to it.
@Suite struct SupersededDeletionTests {
    /// The client has sent `a`; the gateway has not answered yet. Returns its revision, too.
    private func sending() throws -> (ScriptedGateway, RevisionID) {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: #"{"mine":1}"#)
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], "[]")
        let rev = try #require(gateway.sent(.rev).first)
        let revision = try #require(rev.properties["rev"])
        return (gateway, try #require(RevisionID(revision)))
    }

    private func announceDeletion(_ gateway: inout ScriptedGateway, _ revision: String) {
        let row = gateway.announce(#"[[7,"a","\#(revision)",1]]"#)
        #expect(gateway.bodyOfReply(row)?.hasPrefix("[[") == true, "it is asked for")
    }

    private func sendDeletion(_ gateway: inout ScriptedGateway, _ revision: String, history: String) -> UInt32 {
        gateway.request(
            .rev,
            [
                "collection": "0", "id": "a", "rev": revision, "sequence": "7", "deleted": "1", "history": history,
            ], "{}")
    }

    private func expectLive(_ gateway: inout ScriptedGateway, _ deletion: UInt32) throws {
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.live(in: 0)["a"] == Array(#"{"mine":1}"#.utf8))
        #expect(gateway.peer.events.map(\.isPush) == [true])
        #expect(gateway.replies[deletion] != nil && gateway.errorReply(deletion) == nil)
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == "7")
    }

    @Test func aDeletionThatComesBeforeTheAnswerIsHistory() throws {
        var (gateway, _) = try sending()
        announceDeletion(&gateway, "2-dd")
        let deletion = sendDeletion(&gateway, "2-dd", history: "1-dd")
        #expect(gateway.replies[deletion] == nil, "it waits for the answer to the push")
        #expect(gateway.peer.store.live(in: 0)["a"] != nil)
        try gateway.answer(.rev)
        try expectLive(&gateway, deletion)
    }

    @Test func aDeletionThatWasAnnouncedBeforeTheAnswerIsHistory() throws {
        var (gateway, _) = try sending()
        announceDeletion(&gateway, "2-dd")
        try gateway.answer(.rev)
        try expectLive(&gateway, sendDeletion(&gateway, "2-dd", history: "1-dd"))
    }

    /// The gateway sends what the document has become since it was announced.
    @Test(arguments: [false, true]) func whatWasAnnouncedAliveMayComeDeleted(isAnsweredFirst: Bool) throws {
        var (gateway, _) = try sending()
        _ = gateway.announce(#"[[7,"a","1-dd"]]"#)
        if isAnsweredFirst { try gateway.answer(.rev) }
        let deletion = sendDeletion(&gateway, "2-dd", history: "1-dd")
        if !isAnsweredFirst { try gateway.answer(.rev) }
        try expectLive(&gateway, deletion)
    }

    @Test func aDeletionThatIsAnnouncedAfterTheAnswerCounts() throws {
        var (gateway, _) = try sending()
        try gateway.answer(.rev)
        announceDeletion(&gateway, "2-dd")
        _ = sendDeletion(&gateway, "2-dd", history: "1-dd")
        #expect(gateway.peer.store.live(in: 0)["a"] == nil)
    }

    @Test func aDeletionOfWhatWasPushedCounts() throws {
        var (gateway, revision) = try sending()
        announceDeletion(&gateway, "2-ee")
        _ = sendDeletion(&gateway, "2-ee", history: revision.description)
        try gateway.answer(.rev)
        #expect(gateway.peer.store.live(in: 0)["a"] == nil)
    }

    @Test func whereThePushIsRefusedItIsAConflict() throws {
        var (gateway, _) = try sending()
        announceDeletion(&gateway, "2-dd")
        _ = sendDeletion(&gateway, "2-dd", history: "1-dd")
        try gateway.refuse(.rev, .http(409, message: "Document revision conflict"))
        gateway.announceCaughtUp()
        #expect(gateway.peer.store.live(in: 0)["a"] == nil, "deleting wins")
        // With a tombstone that the same run sends.
        try gateway.answer(.proposeChanges)
        #expect(gateway.sent(.rev).first?.properties["deleted"] == "1")
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
    }
}
