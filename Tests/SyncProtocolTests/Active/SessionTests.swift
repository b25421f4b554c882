import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// The opening, the checkpoints, the ends.
@Suite struct SessionTests {
    @Test func anUnknownCollectionEndsTheSessionPolitely() throws {
        var gateway = ScriptedGateway(try .test(["field.sites", "field.other"]), ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], "[{},null]")
        #expect(gateway.peer.closing?.code == 1000)
        #expect(gateway.peer.closing?.failure?.code == 404)
        #expect(gateway.peer.closing?.failure?.message.contains("field.other") == true)
    }

    /// A gateway that was set up for an earlier version of the application.
    @Test func anOptionalCollectionThatIsMissingIsLeftOut() throws {
        var configuration = try ActiveConfiguration.test(["field.sites", "field.other"])
        configuration.collections[1].isOptional = true
        var gateway = ScriptedGateway(configuration, ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], "[{},null]")
        #expect(gateway.peer.closing == nil && gateway.peer.leftOut == [1])
        #expect(gateway.sent(.subChanges).map { $0.properties["collection"] } == ["0"])
        try gateway.answer(.subChanges)
        gateway.request(.changes, ["collection": "0"], "null", isNoReply: true)
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
    }

    @Test(arguments: ["[null,{}]", "[null,null]"]) func aCollectionThatIsNeededStillEndsTheSession(body: String) throws
    {
        var configuration = try ActiveConfiguration.test(["field.sites", "field.other"])
        configuration.collections[1].isOptional = true
        var gateway = ScriptedGateway(configuration, ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], body)
        #expect(gateway.peer.closing?.failure?.code == 404 && gateway.peer.leftOut.isEmpty)
        #expect(gateway.peer.closing?.failure?.message.contains("field.sites") == true)
    }

    @Test(arguments: ["{}", "[{}]", "[{},{},{}]", "", "[1,2]"]) func aWrongListOfCollectionsIsARemoteError(
        body: String
    ) throws {
        var gateway = ScriptedGateway(try .test(["field.sites", "field.other"]), ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], body)
        #expect(gateway.peer.closing?.code == 4002)
        #expect(gateway.peer.closing?.failure == .remoteError("Invalid answer to getCollections"))
    }

    @Test func theDefaultCollectionAloneIsNotNamed() throws {
        var gateway = ScriptedGateway(try .test(["_default"]), ModelClient(collections: 1))
        #expect(gateway.sent(.getCollections).isEmpty)
        #expect(gateway.sent(.getCheckpoint).count == 1)
        // Without a checkpoint of its own the client does not wait.
        #expect(gateway.sent(.subChanges).first?.properties["collection"] == nil)
        try gateway.refuse(.getCheckpoint, .http(404, message: "missing"))
        try gateway.answer(.subChanges)
        gateway.request(.changes, [:], "null", isNoReply: true)
        #expect(gateway.peer.closing?.code == 1000)
    }

    /// The gateway still owes its checkpoint.
    @Test func aSessionDoesNotEndBeforeAllIsAnswered() throws {
        var gateway = ScriptedGateway(try .test(["_default"], pushes: false), ModelClient(collections: 1))
        try gateway.answer(.subChanges)
        gateway.request(.changes, [:], "null", isNoReply: true)
        #expect(gateway.peer.closing == nil && gateway.peer.statuses.last?.isBusy == true)
        try gateway.refuse(.getCheckpoint, .http(404, message: "missing"))
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
    }

    /// A push requests nothing of a gateway.
    @Test func aRevisionForASessionThatDoesNotPullIsRefused() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true)
        let revision = gateway.sendRev("a", "1-aa", sequence: "1", wantsReply: true)
        let rows = gateway.announce(#"[[1,"a","1-aa"]]"#)
        #expect(gateway.errorReply(revision) == .http(409, message: "Not pulling"))
        #expect(gateway.errorReply(rows) == .http(409, message: "Not pulling"))
        gateway.sendRev("a", "1-aa", sequence: "1")
        #expect(gateway.peer.store.collections[0].documents.isEmpty && gateway.peer.closing == nil)
    }

    @Test func withACheckpointTheDefaultCollectionWaitsForTheGateways() throws {
        var client = ModelClient(collections: 1)
        client.collections[0].checkpoint = Array(#"{"remote":7}"#.utf8)
        var gateway = ScriptedGateway(try .test(["_default"]), client)
        #expect(gateway.sent(.subChanges).isEmpty)
        try gateway.answer(.getCheckpoint, ["rev": "0-4"], #"{"remote":5}"#)
        #expect(gateway.sent(.subChanges).first?.properties["since"] == "5")
    }

    @Test func aMissingDefaultCollectionIsReportedWithTheGatewaysMessage() throws {
        var gateway = ScriptedGateway(try .test(["_default"]), ModelClient(collections: 1))
        try gateway.refuse(.getCheckpoint, .http(400, message: "Collection property not specified"))
        #expect(gateway.peer.closing?.code == 4002)
        #expect(gateway.peer.closing?.reason == "Unrecognized collection")
        #expect(gateway.peer.closing?.failure == .http(400, message: "Collection property not specified"))
    }

    @Test(arguments: [
        (BLIPErrorReply.http(403, message: "no"), 4002), (.http(503, message: "busy"), 4001),
        (.http(500, message: "oops"), 1000),
        (BLIPErrorReply(domain: "BLIP", code: 404), 4002), (BLIPErrorReply(domain: "LiteCore", code: 501), 1000),
    ])
    func aRefusedSubscriptionEndsTheSession(error: BLIPErrorReply, code: Int) throws {
        var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false), ModelClient(collections: 1))
        try gateway.answer(.getCollections, [:], "[{}]")
        try gateway.refuse(.subChanges, error)
        #expect(gateway.peer.closing.map { Int($0.code) } == code)
        #expect(gateway.peer.closing?.failure == SyncFailure(error))
    }

    /// Announced rows that wait behind others are not looked up any more, and not waited for.
    @Test func aFeedThatIsRefusedBehindItsRowsEndsTheSession() throws {
        var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false), ModelClient(collections: 1))
        try gateway.answer(.getCollections, [:], "[{}]")
        for batch in 0..<4 {
            let rows = (0..<SyncLimits.rowsPerBatch).map { number in
                let sequence = batch * SyncLimits.rowsPerBatch + number
                return #"[\#(sequence),"d\#(sequence)","1-aa"]"#
            }
            _ = gateway.announce("[\(rows.joined(separator: ","))]")
        }
        try gateway.refuse(.subChanges, .http(404, message: "no feed"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        #expect(gateway.peer.closing?.failure == .http(404, message: "no feed"))
    }

    // MARK: - Checkpoints

    @Test func anotherRevisionOfTheCheckpointIsAskedForAndReplaced() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[4,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: "4")
        try gateway.refuse(.setCheckpoint, .http(409, message: "Document update conflict"))
        #expect(gateway.peer.store.collections[0].checkpoint == nil, "ours follows the gateway's")
        try gateway.answer(.getCheckpoint, ["rev": "0-7"], "{}")
        #expect(gateway.sent(.setCheckpoint).first?.properties["rev"] == "0-7")
        try gateway.answer(.setCheckpoint, ["rev": "0-8"])
        #expect(gateway.peer.store.collections[0].checkpoint != nil)
        #expect(gateway.peer.closing?.failure == nil)
    }

    /// Several replicators of one database save theirs all the time.
    @Test func theRaceForACheckpointEndsNoReplication() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        _ = gateway.announce(#"[[4,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: "4")
        for attempt in 0..<ActiveLimits.checkpointAttempts {
            try gateway.refuse(.setCheckpoint, .http(409, message: "Document update conflict"))
            try gateway.answer(.getCheckpoint, ["rev": "0-\(attempt)"], "{}")
        }
        try gateway.refuse(.setCheckpoint, .http(409, message: "Document update conflict"))
        #expect(gateway.peer.closing == nil && gateway.sent(.getCheckpoint).isEmpty)
        _ = gateway.announce(#"[[5,"b","1-bb"]]"#)
        gateway.sendRev("b", "1-bb", sequence: "5")
        gateway.wake()
        try gateway.answer(.setCheckpoint, ["rev": "0-99"])
        #expect(gateway.peer.store.collections[0].checkpoint != nil)
    }

    /// A pull in session `c`, with what lies here and at the gateway from sessions before.
    private func marked(here: String, server: String) throws -> ScriptedGateway {
        var client = ModelClient(collections: 1)
        client.collections[0].checkpoint = Array(here.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false, mark: "c"), client)
        try gateway.answer(.getCollections, [:], "[\(server)]")
        return gateway
    }

    private func checkpoint(_ gateway: ScriptedGateway) throws -> Checkpoint {
        let kept = try #require(gateway.peer.store.collections[0].checkpoint)
        return try #require(Checkpoint(parsing: kept))
    }

    /// A kill between the two writes must not look like another folder's checkpoint.
    @Test func theMarkIsKeptHereBeforeTheGatewayGetsIt() throws {
        let here = #"{"remote":1,"mark":"b"}"#
        var gateway = try marked(here: here, server: #"{"rev":"0-2","remote":1,"mark":"b"}"#)
        try gateway.answer(.subChanges)
        #expect(gateway.peer.store.collections[0].checkpoint == Array(here.utf8), "nothing is to be saved yet")
        _ = gateway.announce(#"[[4,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "4")
        let sent = try #require(gateway.sent(.setCheckpoint).first.flatMap { Checkpoint(parsing: $0.bodyBytes) })
        #expect(sent.remote == "4" && sent.marks == ["c"])
        var kept = try checkpoint(gateway)
        #expect(kept.remote == "1" && kept.marks == ["c", "b"])
        try gateway.answer(.setCheckpoint, ["rev": "0-3"])
        kept = try checkpoint(gateway)
        #expect(kept.remote == "4" && kept.marks == ["c"])
    }

    /// The session before was killed while it saved, and whether the gateway has stored that is not known here.
    @Test(arguments: [("a", 4), ("b", 9)])
    func aKillBetweenTheTwoWritesCostsNoComparison(mark: String, remote: Int) throws {
        let here = #"{"remote":4,"mark":"b","earlierMark":"a"}"#
        var gateway = try marked(here: here, server: #"{"rev":"0-2","remote":\#(remote),"mark":"\#(mark)"}"#)
        #expect(gateway.sent(.subChanges).first?.properties["since"] == "4")
        try gateway.answer(.subChanges)
        _ = gateway.announce(#"[[12,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "12")
        #expect(try checkpoint(gateway).marks == ["c", mark])
    }

    /// A laptop that was put back from a copy: what is known there goes on counting from an older number.
    @Test func aCheckpointOfAnotherMarkIsComparedFromTheBeginning() throws {
        let gateway = try marked(
            here: #"{"remote":4,"mark":"a"}"#, server: #"{"rev":"0-2","remote":4,"mark":"b"}"#)
        #expect(gateway.sent(.subChanges).first?.properties["since"] == nil)
        let kept = try checkpoint(gateway)
        #expect(kept.remote == nil && kept.doubtful > 0 && kept.marks == ["a"])
    }

    @Test func aCheckpointThatExpiredIsMadeAgain() throws {
        var client = ModelClient(collections: 1)
        client.collections[0].checkpoint = Array(#"{"remote":1}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pushes: false), client)
        try gateway.answer(.getCollections, [:], #"[{"rev":"0-2","remote":1}]"#)
        try gateway.answer(.subChanges)
        _ = gateway.announce(#"[[4,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "4")
        #expect(gateway.sent(.setCheckpoint).first?.properties["rev"] == "0-2")
        try gateway.refuse(.setCheckpoint, .http(404, message: "No previous revision to replace"))
        #expect(gateway.sent(.setCheckpoint).first?.properties["rev"] == "")
    }

    @Test func aCheckpointThatCannotBeSavedIsTheReplicationsError() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[4,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: "4")
        try gateway.refuse(.setCheckpoint, .http(500, message: "oops"))
        #expect(gateway.peer.closing?.failure?.code == 500)
        #expect(gateway.peer.store.collections[0].checkpoint == nil)
    }

    @Test func checkpointsAreSavedNowAndThenWhileDocumentsFlow() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"],[2,"b","1-bb"],[3,"c","1-cc"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1")
        #expect(gateway.sent(.setCheckpoint).count == 1)
        try gateway.answer(.setCheckpoint, ["rev": "0-1"])
        gateway.sendRev("b", "1-bb", sequence: "2")
        #expect(gateway.sent(.setCheckpoint).isEmpty)
        gateway.wake()
        #expect(gateway.sent(.setCheckpoint).count == 1)
    }

    // MARK: - Ends

    @Test func stoppingSavesWhatWasDone() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        _ = gateway.announce(#"[[1,"a","1-aa"],[2,"b","1-bb"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1")
        try gateway.takeCheckpoints()
        gateway.sendRev("b", "1-bb", sequence: "2")
        gateway.stop()
        #expect(gateway.peer.closing == nil)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == "2")
    }

    @Test func stoppingDoesNotWaitForeverForAGateway() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1")
        gateway.stop()
        while gateway.peer.closing == nil, gateway.peer.wakeUp != nil { gateway.wake() }
        #expect(gateway.peer.closing?.code == 1000)
    }

    /// The application gets to know their results, and the next session does not propose them again.
    @Test func stoppingWaitsForTheAnswersToSentRevisions() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a", "b"))
        try gateway.answer(.proposeChanges, [:], "[]")
        gateway.stop()
        #expect(gateway.peer.closing == nil)
        try gateway.answer(.rev)
        #expect(gateway.peer.closing == nil)
        try gateway.refuse(.rev, .http(403, message: "missing channel access"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.documentID) == ["a"])
        let a = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(a.isKnownToRemote)
    }

    @Test func stoppingDoesNotWaitForeverForAnAnswerToARevision() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        gateway.stop()
        while gateway.peer.closing == nil, gateway.peer.wakeUp != nil { gateway.wake() }
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test func aStoppedSessionTakesOnNoMoreRows() throws {
        var client = ModelClient(collections: 1)
        client.edit("lost", in: 0)
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true, client)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1")
        gateway.stop()
        #expect(gateway.peer.closing == nil, "its checkpoint is being saved")
        let row = gateway.announce(#"[[2,"lost","1-bb",4],[3,"_bad","1-cc"]]"#)
        #expect(gateway.replies[row] == nil)
        #expect(gateway.peer.events.map(\.documentID) == ["a"])
        #expect(gateway.peer.store.live(in: 0)["lost"] != nil)
    }

    @Test func aContinuousSessionIsIdleAndBusyByTurns() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true)
        gateway.announceCaughtUp()
        #expect(gateway.peer.statuses.last?.isBusy == false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 0, total: 1))
        gateway.sendRev("a", "1-aa", sequence: "1")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: false, completed: 1, total: 1))
        #expect(gateway.peer.closing == nil)
    }

    @Test func unknownRequestsAreRefused() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let unknownProfile = gateway.request(.getRev, ["collection": "0"])
        let unknownCollection = gateway.request(.rev, ["collection": "7", "id": "a", "rev": "1-a"])
        let noCollection = gateway.request(.rev, ["id": "a", "rev": "1-a"])
        let ping = gateway.request(.ping)
        #expect(gateway.errorReply(unknownProfile)?.code == 404)
        #expect(gateway.errorReply(unknownCollection)?.code == 400)
        #expect(gateway.errorReply(noCollection)?.code == 400)
        #expect(gateway.bodyOfReply(ping) == "")
    }

    @Test func attachmentsAreServedAndProved() throws {
        var client = ModelClient(collections: 1)
        let hello = BlobDigest(of: Array("hello".utf8)).text
        client.blobs[hello] = Array("hello".utf8)
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client)
        let content = gateway.request(.getAttachment, ["collection": "0", "digest": hello, "docID": "a"])
        #expect(gateway.bodyOfReply(content) == "hello")
        let nonce = String(decoding: (0..<20).map { UInt8($0) }, as: UTF8.self)
        let proof = gateway.request(.proveAttachment, ["collection": "0", "digest": hello], nonce)
        #expect(gateway.bodyOfReply(proof) == "sha1-amTs4+FpzXf3dGz9c2EYJ2WckF4=")
    }
}
