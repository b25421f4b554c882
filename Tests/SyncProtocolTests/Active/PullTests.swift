import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import Testing

@testable import SyncProtocol

@Suite struct PullTests {
    private static let hello = BlobDigest(of: Array("hello".utf8)).text

    @Test func asksForWhatIsNotHere() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let changes = gateway.announce(#"[[1,"a","1-aa"],[2,"b","2-bb"]]"#)
        #expect(gateway.bodyOfReply(changes) == "[[],[]]")
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: "1", #"{"n":1}"#)
        #expect(gateway.peer.closing == nil, "one more is to come")
        gateway.sendRev("b", "2-bb", sequence: "2", history: "1-cc")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        #expect(gateway.peer.store.live(in: 0)["a"] == Array(#"{"n":1}"#.utf8))
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == "2")
    }

    /// As on a gateway whose disk is full: it can be read all the same, and compares once more the next time.
    @Test(arguments: [503, 403]) func aCheckpointThatIsNotSavedForNowEndsNothing(status: Int) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1")
        gateway.wake()
        try gateway.refuse(.setCheckpoint, .http(status, message: "no"))
        let isForNow = status == 503
        #expect((gateway.peer.closing == nil) == isForNow)
        guard isForNow else { return }
        _ = gateway.announce(#"[[2,"b","1-bb"]]"#)
        gateway.sendRev("b", "1-bb", sequence: "2")
        gateway.announceCaughtUp()
        try gateway.refuse(.setCheckpoint, .http(status, message: "no"))
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.live(in: 0).count == 2)
        #expect(gateway.peer.store.collections[0].checkpoint == nil)
    }

    /// Nobody would know which of them are wanted, so they would never come.
    @Test func changesThatTakeNoReplyEndTheReplication() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let changes = BLIPMessage(
            kind: .request, number: 90, properties: ["Profile": "changes", "collection": "0"],
            body: ByteBuffer(string: #"[[1,"a","1-aa"]]"#), isNoReply: true)
        gateway.peer.receive([.request(changes)])
        #expect(gateway.peer.takeSent().isEmpty)
        #expect(gateway.peer.closing?.failure != nil)
    }

    @Test func anEmptyReplicaLeavesOutTombstones() throws {
        let fresh = ScriptedGateway(try .test(["field.sites"], pushes: false), ModelClient(collections: 1))
        #expect(fresh.sent(.subChanges).isEmpty)
        var client = ModelClient(collections: 1)
        for isEmpty in [true, false] {
            if !isEmpty { client.edit("a", in: 0) }
            var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false), client)
            try gateway.answer(.getCollections, [:], "[{}]")
            #expect((gateway.sent(.subChanges).first?.properties["activeOnly"] == "true") == isEmpty)
        }
        client = ModelClient(collections: 1)
        client.collections[0].checkpoint = Array(#"{"remote":"80:12"}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-3","remote":"80:12"}]"#)
        let subscription = try #require(gateway.sent(.subChanges).first)
        #expect(subscription.properties["activeOnly"] == nil)
        #expect(subscription.properties["since"] == #""80:12""#)
    }

    @Test(arguments: ["null", "[]", ""]) func theEndOfTheFeedHasThreeSpellings(body: String) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        gateway.request(.changes, ["collection": "0"], body, isNoReply: true)
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test func aRevisionThatWillNotComeIsNotWaitedFor() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.request(
            .norev, ["collection": "0", "id": "a", "rev": "1-aa", "sequence": "1", "error": "404"], isNoReply: true)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.isEmpty)
    }

    /// Else it would be missing here until it changes again, and nobody would know.
    @Test(arguments: [(403, true), (500, true), (429, false), (502, false), (503, false), (504, false)])
    func aRevisionThatTheGatewayCouldNotSendIsReported(status: Int, isDone: Bool) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.request(
            .norev,
            ["collection": "0", "id": "a", "rev": "1-aa", "sequence": "1", "error": "\(status)", "reason": "broken"],
            isNoReply: true)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.documentID) == ["a"])
        #expect(gateway.peer.events.map(\.failure) == [.http(status, message: "broken")])
        #expect(gateway.peer.closing?.code == 1000)
        let remote = gateway.peer.store.collections[0].checkpoint.flatMap { Checkpoint(parsing: $0)?.remote }
        #expect((remote == "1") == isDone)
    }

    /// What was never asked for is no document's failure.
    @Test func aRevisionThatNobodyAskedForIsNotReported() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        gateway.request(
            .norev, ["collection": "0", "id": "z", "rev": "1-aa", "sequence": "9", "error": "500"], isNoReply: true)
        #expect(gateway.peer.events.isEmpty)
    }

    @Test func compoundSequencesAreKeptToTheByte() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[["7:3","a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: #""7:3""#)
        let saved = try #require(gateway.sent(.setCheckpoint).first)
        #expect(try JSONObject(parsing: saved.bodyBytes)["remote"] == "7:3")
        #expect(saved.properties["rev"] == "")
    }

    @Test func theReplyToARevisionComesAfterItsBlobs() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"],[2,"b","1-bb"]]"#)
        gateway.announceCaughtUp()
        let entry = #"{"blob_/p":{"digest":"\#(Self.hello)","length":5,"stub":true,"revpos":1}}"#
        let body = #"{"_attachments":\#(entry),"p":{"@type":"blob","digest":"\#(Self.hello)","length":5}}"#
        let first = gateway.sendRev("a", "1-aa", sequence: "1", body, wantsReply: true)
        let second = gateway.sendRev("b", "1-bb", sequence: "2", body, wantsReply: true)
        #expect(gateway.sent(.getAttachment).count == 1, "one digest is fetched once")
        #expect(gateway.sent(.getAttachment).first?.properties["docID"] == "a")
        #expect(gateway.replies[first] == nil && gateway.replies[second] == nil)
        try gateway.answer(.getAttachment, [:], "hello")
        #expect(gateway.bodyOfReply(first) == "" && gateway.bodyOfReply(second) == "")
        #expect(gateway.peer.store.live(in: 0).count == 2)
        #expect(
            !String(decoding: try #require(gateway.peer.store.live(in: 0)["a"]), as: UTF8.self).contains("_att"))
    }

    @Test func aBlobThatCannotBeHadFailsItsDocumentOnly() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"],[2,"b","1-bb"]]"#)
        gateway.announceCaughtUp()
        let body = #"{"p":{"@type":"blob","digest":"\#(Self.hello)","length":5}}"#
        let first = gateway.sendRev("a", "1-aa", sequence: "1", body, wantsReply: true)
        let second = gateway.sendRev("b", "1-bb", sequence: "2", body, wantsReply: true)
        try gateway.refuse(.getAttachment, .http(403, message: "Attachment's doc not being synced"))
        #expect(gateway.errorReply(first)?.code == 403)
        // For the other document's sake it may be had after all.
        #expect(gateway.sent(.getAttachment).first?.properties["docID"] == "b")
        try gateway.answer(.getAttachment, [:], "hello")
        #expect(gateway.bodyOfReply(second) == "")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.failure != nil }.map(\.documentID) == ["a"])
    }

    @Test func aDifferenceIsAskedForAsAWhole() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","2-aa"]]"#)
        let number = gateway.request(
            .rev, ["collection": "0", "id": "a", "rev": "2-aa", "sequence": "1", "deltaSrc": "1-aa"], "{}")
        #expect(gateway.errorReply(number)?.code == 422)
        gateway.announceCaughtUp()
        #expect(gateway.peer.closing == nil)
        gateway.sendRev("a", "2-aa", sequence: "1", history: "1-aa")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
    }

    @Test(arguments: [
        ("id=a rev=1-aa", 400), ("rev=1-aa sequence=1", 400), ("id=a rev=nonsense sequence=1", 4),
        ("id=a rev=2-aa sequence=1 history=x", 4),
    ])
    func impossibleRevisionsAreRefused(properties: String, code: Int) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        var all: BLIPProperties = ["collection": "0"]
        for property in properties.split(separator: " ") {
            let halves = property.split(separator: "=").map(String.init)
            all.append(halves[0], value: halves[1])
        }
        let number = gateway.request(.rev, all, "{}")
        #expect(gateway.errorReply(number)?.code == code)
        #expect(gateway.peer.store.live(in: 0).isEmpty)
    }

    @Test(arguments: [#"[[1,"","1-aa"]]"#, #"[[1,"a","revision"]]"#, #"{"a":1}"#, "[[1]]", "[", #"[[1,2,"1-a"]]"#])
    func impossibleRowsEndTheReplication(rows: String) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let number = gateway.announce(rows)
        #expect(gateway.errorReply(number) != nil)
        #expect(gateway.peer.closing?.code == 4002)
    }

    @Test func tooManyOutstandingRevisionsHoldBackAnswers() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        var numbers: [UInt32] = []
        for batch in 0..<5 {
            let rows = (0..<200).map { #"[\#(batch * 200 + $0),"d\#(batch * 200 + $0)","1-aa"]"# }
            numbers.append(gateway.announce("[" + rows.joined(separator: ",") + "]"))
        }
        func answered() -> [Bool] { numbers.map { gateway.replies[$0] != nil } }
        #expect(answered() == [true, false, false, false, false], "how large they are is not known yet")
        gateway.sendRev("d0", "1-aa", sequence: "0")
        #expect(answered() == [true, true, true, true, false])
        for number in 1..<200 { gateway.sendRev("d\(number)", "1-aa", sequence: "\(number)") }
        #expect(answered() == [true, true, true, true, false])
        gateway.sendRev("d200", "1-aa", sequence: "200")
        #expect(answered() == [true, true, true, true, true])
    }

    /// All that is asked for comes side by side.
    @Test func ofLargeDocumentsFewerAreAskedFor() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let large = #"{"text":"\#(String(repeating: "x", count: ActiveLimits.requestedBytes / 3))"}"#
        var numbers: [UInt32] = []
        for batch in 0..<3 {
            let rows = (0..<4).map { #"[\#(batch * 4 + $0),"d\#(batch * 4 + $0)","1-aa"]"# }
            numbers.append(gateway.announce("[" + rows.joined(separator: ",") + "]"))
            if batch == 0 { gateway.sendRev("d0", "1-aa", sequence: "0", large) }
        }
        func answered() -> [Bool] { numbers.map { gateway.replies[$0] != nil } }
        #expect(answered() == [true, false, false])
        gateway.sendRev("d1", "1-aa", sequence: "1", large)
        #expect(answered() == [true, false, false], "two are to come")
        gateway.sendRev("d2", "1-aa", sequence: "2", large)
        #expect(answered() == [true, true, false])
    }

    // MARK: - Lost access

    private func withDocument(_ id: String) -> ModelClient {
        var client = ModelClient(collections: 1)
        client.edit(id, in: 0)
        client.share(id, in: 0)
        return client
    }

    @Test(arguments: [(2, true), (3, true), (4, true), (6, true), (1, false), (5, false)])
    func flagsSayWhatIsLost(flags: Int, isLost: Bool) throws {
        var gateway = try ScriptedGateway.opened(pushes: false, withDocument("a"))
        let number = gateway.announce(#"[["9:2","a","2-aa",\#(flags)]]"#)
        #expect(gateway.bodyOfReply(number)?.hasPrefix("[[") == !isLost)
        #expect((gateway.peer.store.collections[0].documents["a"] == nil) == isLost)
        #expect(gateway.peer.events.contains { $0.isAccessLost } == isLost)
    }

    @Test func aFilterMayKeepWhatIsLost() throws {
        var client = withDocument("a")
        client.vetoed = ["a"]
        var gateway = try ScriptedGateway.opened(pushes: false, client)
        _ = gateway.announce(#"[["9:2","a","1-aa",2]]"#)
        #expect(gateway.peer.store.collections[0].documents["a"] != nil)
        #expect(gateway.peer.events.first?.failure?.code == 403)
        #expect(gateway.peer.events.first?.isAccessLost == true)
    }

    @Test func whatWasAnnouncedBeforeTheLossIsNotStoredAfterIt() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[3,"a","1-aa"]]"#)
        let body = #"{"p":{"@type":"blob","digest":"\#(Self.hello)","length":5}}"#
        let number = gateway.sendRev("a", "1-aa", sequence: "3", body, wantsReply: true)
        _ = gateway.announce(#"[["9:3","a","1-aa",2]]"#)
        try gateway.answer(.getAttachment, [:], "hello")
        #expect(gateway.bodyOfReply(number) == "")
        #expect(gateway.peer.store.live(in: 0).isEmpty)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == #""9:3""#)
    }

    @Test func aBodyThatSaysRemovedIsPurged() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, withDocument("a"))
        _ = gateway.announce(#"[[8,"a","2-aa"]]"#)
        gateway.sendRev("a", "2-aa", sequence: "8", #"{"_removed":true}"#)
        #expect(gateway.peer.store.collections[0].documents["a"] == nil)
        #expect(gateway.peer.events.map(\.isAccessLost) == [true])
    }

    @Test func backfilledRowsGiveRejectedDocumentsAnotherChance() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true)
        gateway.announceCaughtUp()
        gateway.edit("mine", "{}")
        gateway.peer.store.reject("mine", in: 0)
        try gateway.answer(.proposeChanges, [:], "[403]")
        #expect(gateway.peer.events.map(\.failure?.code) == [403])
        _ = gateway.announce(#"[["9:2","a","1-aa"]]"#)
        let again = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first { !$0.isNoReply }))
        #expect(again.rows.map(\.documentID) == ["mine"])
    }

    /// A gateway that announces without an end and sends nothing is given up before it fills the memory.
    @Test func aGatewayCannotAnnounceWithoutEnd() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        var refused = 0
        for number in 0..<60 {
            let rows = (0..<2_000).map { "[\(number * 2_000 + $0),\"d\(number * 2_000 + $0)\",\"1-a\"]" }
            let message = gateway.announce("[\(rows.joined(separator: ","))]")
            if gateway.errorReply(message)?.code == 503 { refused += 1 }
        }
        #expect(refused == 1, "and nothing more is heard")
        #expect(gateway.peer.closing != nil)
    }
}
