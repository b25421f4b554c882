import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Revisions as differences, both ways.
@Suite struct DeltaTests {
    private static let filler = String(repeating: "inspected and found in order. ", count: 10)
    private static let old = #"{"n":1,"note":"\#(filler)"}"#
    private static let new = #"{"n":2,"note":"\#(filler)"}"#

    /// The gateway has `old`, here is `new`.
    private func edited(_ new: String = Self.new, from old: String = Self.old) -> ModelClient {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: old)
        client.share("a", in: 0)
        client.edit("a", in: 0, body: new)
        return client
    }

    private func rev(_ gateway: ScriptedGateway) throws -> (source: String?, body: String) {
        let message = try #require(gateway.sent(.rev).first)
        return (message.properties["deltaSrc"], String(decoding: message.bodyBytes, as: UTF8.self))
    }

    // MARK: - Push

    @Test func aDifferenceIsSentToAGatewayThatTakesOne() throws {
        let client = edited()
        let remote = client.collections[0].documents["a"]?.remote?.description
        for takesDeltas in [true, false] {
            var gateway = try ScriptedGateway.opened(pulls: false, client)
            try gateway.answer(.proposeChanges, takesDeltas ? ["deltas": "true"] : [:], "[]")
            let sent = try rev(gateway)
            #expect(sent.source == (takesDeltas ? remote : nil))
            #expect(sent.body == (takesDeltas ? #"{"n":2}"# : Self.new))
        }
    }

    @Test(arguments: [
        ("a small body", #"{"n":1}"#, #"{"n":2}"#), ("nothing in common", old, #"{"x":["\#(filler)"]}"#),
        ("no longer an object of the same size", #"{"n":1}"#, #"{"note":"\#(filler)"}"#),
    ])
    func whatIsNoGainIsSentWhole(name: String, old: String, new: String) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, edited(new, from: old))
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        let sent = try rev(gateway)
        #expect(sent.source == nil && sent.body == new)
    }

    @Test func tombstonesAndNewDocumentsAreWhole() throws {
        var client = edited()
        client.edit("a", in: 0, isDeleted: true)
        client.edit("b", in: 0, body: Self.new)
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        #expect(gateway.sent(.rev).count == 2)
        #expect(gateway.sent(.rev).allSatisfy { $0.properties["deltaSrc"] == nil })
    }

    @Test(arguments: [
        BLIPErrorReply.http(422, message: "x"), BLIPErrorReply(domain: "LiteCore", code: 31),
        BLIPErrorReply(domain: "LiteCore", code: 32),
    ])
    func aRefusedDifferenceIsFollowedByTheWhole(error: BLIPErrorReply) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, edited())
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        try gateway.refuse(.rev, error)
        let sent = try rev(gateway)
        #expect(sent.source == nil && sent.body == Self.new)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure) == [nil])
        #expect(gateway.peer.statuses.last?.completed == 1 && gateway.peer.statuses.last?.total == 1)
    }

    @Test func aWholeThatIsRefusedIsRefused() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, edited())
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        try gateway.refuse(.rev, .http(422, message: "x"))
        try gateway.refuse(.rev, .http(422, message: "x"))
        #expect(gateway.sent(.rev).isEmpty)
        #expect(gateway.peer.events.map(\.failure?.code) == [422])
    }

    @Test func attachmentsAreSentAsAWhole() throws {
        let digest = BlobDigest(of: Array("x".utf8)).text
        func body(_ type: String) -> String {
            #"{"note":"\#(Self.filler)","p":{"@type":"blob","digest":"\#(digest)","content_type":"\#(type)"}}"#
        }
        var gateway = try ScriptedGateway.opened(pulls: false, edited(body("b"), from: body("a")))
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        let delta = try JSONObject(parsing: Array(rev(gateway).body.utf8))
        #expect(delta["p"] == ["content_type": "b"])
        #expect(delta["_attachments"]?[0]?["blob_/p"]?["digest"]?.stringValue == digest)
        gateway = try ScriptedGateway.opened(pulls: false, edited(Self.new, from: body("a")))
        try gateway.answer(.proposeChanges, ["deltas": "true"], "[]")
        #expect(try JSONObject(parsing: Array(rev(gateway).body.utf8)) == ["n": 2, "p": [], "_attachments": []])
    }

    // MARK: - Pull

    /// The client has `a` as the gateway's revision 1-aa.
    private func holding(_ body: String = Self.old) throws -> ScriptedGateway {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1", body)
        return gateway
    }

    private func send(
        _ delta: String, from source: String = "1-aa", to gateway: inout ScriptedGateway, isNoReply: Bool = false
    ) -> UInt32 {
        gateway.request(
            .rev,
            [
                "collection": "0", "id": "a", "rev": "2-bb", "sequence": "2", "history": "1-aa", "deltaSrc": source,
            ], delta, isNoReply: isNoReply)
    }

    private func content(_ gateway: ScriptedGateway) -> String? {
        gateway.peer.store.live(in: 0)["a"].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func differencesAreWelcomeFromTheFirstAnswerOn() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let offers = (1...2).map { number in
            let request = gateway.announce(#"[[\#(number),"a\#(number)","1-aa"]]"#)
            guard case .response(_, let properties, _, _)? = gateway.replies[request] else { return "" as String? }
            return properties["deltas"]
        }
        #expect(offers == ["true", nil])
    }

    @Test func aDifferenceIsAppliedToWhatIsHere() throws {
        var gateway = try holding()
        let changes = gateway.announce(#"[[2,"a","2-bb"]]"#)
        #expect(gateway.bodyOfReply(changes) == #"[["1-aa"]]"#)
        gateway.announceCaughtUp()
        let number = send(#"{"n":2}"#, to: &gateway)
        #expect(gateway.bodyOfReply(number) == "")
        #expect(content(gateway) == Self.new)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test(arguments: [
        ("of another revision", #"{"n":2}"#, "1-cc"), ("that does not fit", #"{"n":{"x":1}}"#, "1-aa"),
        ("that is no JSON", #"{"n""#, "1-aa"), ("that makes no object", "[1]", "1-aa"),
    ])
    func whatDoesNotFitIsAskedForAsAWhole(name: String, delta: String, source: String) throws {
        var gateway = try holding()
        _ = gateway.announce(#"[[2,"a","2-bb"]]"#)
        gateway.announceCaughtUp()
        let number = send(delta, from: source, to: &gateway)
        #expect(gateway.errorReply(number)?.code == 422)
        #expect(gateway.peer.closing == nil, "the whole is waited for")
        #expect(content(gateway) == Self.old)
        gateway.sendRev("a", "2-bb", sequence: "2", Self.new, history: "1-aa")
        #expect(content(gateway) == Self.new)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test func withoutAnybodyToAnswerTheSequenceStaysOpen() throws {
        var gateway = try holding()
        _ = gateway.announce(#"[[2,"a","2-bb"]]"#)
        gateway.announceCaughtUp()
        _ = send(#"{"n":2}"#, from: "1-cc", to: &gateway, isNoReply: true)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.last?.failure?.code == 422)
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == "1")
    }

    @Test func aTombstoneIsNoDifference() throws {
        var gateway = try holding()
        _ = gateway.announce(#"[[2,"a","2-bb",1]]"#)
        gateway.request(
            .rev,
            [
                "collection": "0", "id": "a", "rev": "2-bb", "sequence": "2", "history": "1-aa", "deltaSrc": "1-aa",
                "deleted": "1",
            ], #"{"n":[]}"#)
        let current = gateway.peer.store.collections[0].documents["a"]?.current
        #expect(current?.isDeleted == true && current?.body == Array("{}".utf8))
    }

    @Test func attachmentsOfTheSourceAreThere() throws {
        let (first, second) = ["x", "y"].map { BlobDigest(of: Array($0.utf8)).text }.splitPair
        func body(_ digest: String) -> String { #"{"p":{"@type":"blob","digest":"\#(digest)"}}"# }
        var gateway = try ScriptedGateway.opened(pushes: false)
        gateway.peer.store.blobs = [first: [1], second: [2]]
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1", body(first))
        _ = gateway.announce(#"[[2,"a","2-bb"]]"#)
        _ = send(
            #"{"p":{"digest":"\#(second)"},"_attachments":{"blob_/p":{"digest":"\#(second)","revpos":2}}}"#,
            to: &gateway)
        #expect(content(gateway) == body(second))
    }
}

extension [String] {
    fileprivate var splitPair: (String, String) { (self[0], self[1]) }
}
