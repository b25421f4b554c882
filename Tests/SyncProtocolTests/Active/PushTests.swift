import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Proposals, and the revisions that are sent after them.
@Suite struct PushTests {
    private func ids(_ messages: [BLIPMessage]) -> [String] { messages.compactMap { $0.properties["id"] } }

    @Test func proposesThenSendsWhatIsWanted() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, .editing("a", "b", "c"))
        let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first))
        #expect(proposed.rows.map(\.documentID) == ["a", "b", "c"])
        #expect(gateway.sent(.rev).isEmpty)
        try gateway.answer(.proposeChanges, [:], "[0,304]")
        #expect(ids(gateway.sent(.rev)) == ["a", "c"])
        try gateway.answer(.rev)
        #expect(gateway.peer.closing == nil)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].documents.values.allSatisfy { $0.remote == $0.current.id })
        // What the gateway had already is no event.
        #expect(gateway.peer.events.map(\.documentID) == ["a", "c"])
    }

    @Test func withNothingToPushItSaysSo() throws {
        let gateway = try ScriptedGateway.opened(pulls: false)
        let message = try #require(gateway.sent(.proposeChanges).first)
        #expect(message.isNoReply && message.isUrgent && !message.isCompressed)
        #expect(message.bodyBytes == Array("[]".utf8))
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test func aNewerRevisionWaitsForTheOneInFlight() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        let first = try #require(gateway.sent(.rev).first?.properties["rev"])
        gateway.edit("a", #"{"n":2}"#)
        #expect(gateway.sent(.proposeChanges).filter { !$0.isNoReply }.isEmpty)
        try gateway.answer(.rev)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first { !$0.isNoReply })).rows
        #expect(rows.map(\.serverRevision) == [first])
    }

    @Test func aDocumentThatChangesMeanwhileIsSentAsItIsNow() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a"))
        gateway.edit("a", #"{"n":2}"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(gateway.sent(.norev).first?.properties["error"] == "410")
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(gateway.sent(.rev).first?.bodyBytes == Array(#"{"n":2}"#.utf8))
    }

    /// The gateway has the first two; what is edited next is pushed over what it is known to have, if anything.
    @Test func blobsThatHaveMovedHaveNamesOfTheirOwn() throws {
        let digests = ["x", "y", "z"].map { BlobDigest(of: Array($0.utf8)).text }
        func body(_ indices: Int...) -> String {
            let blobs = indices.map { #"{"@type":"blob","digest":"\#(digests[$0])","length":1}"# }
            return "{\"list\":[\(blobs.joined(separator: ","))]}"
        }
        func names(_ gateway: ScriptedGateway) throws -> [String]? {
            let rev = try #require(gateway.sent(.rev).first)
            return try JSONObject(parsing: rev.bodyBytes)["_attachments"]?.objectValue?.keys
        }
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: body(0, 1))
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_/list/0", "blob_/list/1"])
        try gateway.answer(.rev)
        gateway.edit("a", body(0, 1, 2))
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_/list/0", "blob_/list/1", "blob_/list/2"])
        try gateway.answer(.rev)
        gateway.edit("a", body(1, 2))
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_0/list/0/\(digests[1])", "blob_0/list/1/\(digests[2])"])
        // Which body the gateway has when this is saved is not known yet.
        gateway.edit("a", body(1))
        try gateway.answer(.rev)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_0/list/0/\(digests[1])"])
    }

    @Test func bytesWithoutAcknowledgementAreBounded() throws {
        var client = ModelClient(collections: 1)
        let text = String(repeating: "x", count: 300_000)
        for number in 0..<20 { client.edit("d\(number)", in: 0, body: #"{"t":"\#(text)"}"#) }
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], "[]")
        let count = gateway.sent(.rev).count
        #expect((1...7).contains(count))
        try gateway.answer(.rev)
        #expect(gateway.sent(.rev).count == count)
    }

    @Test func largePushesGoInBatchesOfTwoHundred() throws {
        var client = ModelClient(collections: 1)
        for number in 0..<2_500 { client.edit("d\(number)", in: 0) }
        let gateway = try ScriptedGateway.opened(pulls: false, client)
        let proposals = try gateway.sent(.proposeChanges).map { try ProposeChanges($0).rows.count }
        // As many as may be without an answer.
        #expect(proposals == [Int](repeating: 200, count: 10))
    }

    @Test func aServerThatForgotEverythingGetsEverythingProposed() throws {
        var client = ModelClient.editing("a", "b")
        for id in ["a", "b"] {
            client.share(id, in: 0)
        }
        client.collections[0].checkpoint = Array(#"{"local":2,"remote":9}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], "[{}]")
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.documentID) == ["a", "b"])
        #expect(rows.map(\.serverRevision) == ["", ""])
    }
}
