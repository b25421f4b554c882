import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Revisions that the gateway refuses, for good or for now.
@Suite struct RefusedPushTests {
    @Test func whatWasRefusedIsTriedAgainAfterAWhile() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a", "b"))
        try gateway.answer(.proposeChanges, [:], "[403,413]")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [403, 413])
        for isAllowed in [false, true] {
            gateway.wake()
            let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last))
            #expect(proposed.rows.map(\.documentID) == ["a"], "what is too large stays so")
            try gateway.answer(.proposeChanges, [:], isAllowed ? "[]" : "[403]")
            #expect(gateway.peer.events.count == 2, "the same refusal is not reported again")
        }
        try gateway.answer(.rev)
        #expect(gateway.peer.events.last?.failure == nil)
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    @Test func aForbiddenDocumentIsTriedTwice() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, .editing("a", "b"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        #expect(gateway.sent(.proposeChanges).isEmpty, "the retry waits until all else is done")
        try gateway.answer(.rev)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.failure != nil }.map(\.documentID) == ["a"])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.completed.through == 2)
    }

    /// Nothing has changed what the user may do: neither an acceptance nor the rows of old access changes.
    @Test(arguments: [false, true]) func aForbiddenDocumentAloneIsSentOnce(pulls: Bool) throws {
        var gateway = try ScriptedGateway.opened(pulls: pulls, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        if pulls {
            _ = gateway.announce(#"[["7:3","b","1-bb"]]"#)
            gateway.sendRev("b", "1-bb", sequence: #""7:3""#)
            gateway.announceCaughtUp()
        }
        #expect(gateway.sent(.proposeChanges).allSatisfy(\.isNoReply) && gateway.sent(.rev).isEmpty)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter(\.isPush).map(\.failure?.code) == [403])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    @Test func whatWasForbiddenIsTriedAgainInSilence() throws {
        var client = ModelClient.editing("a")
        client.reject("a", in: 0)
        client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1}]"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.isEmpty)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    /// Who asks for another try hears what comes of it.
    @Test func whatIsOfferedAgainIsReportedAgain() throws {
        var client = ModelClient.editing("a")
        client.reject("a", in: 0)
        client.offerAgain("a", in: 0)
        client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1}]"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [403])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.completed.through == 2)
    }

    @Test(arguments: [401, 404, 409, 413, 422, 500]) func otherRefusalsAreFinal(status: Int) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(status, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [status])
        #expect(gateway.peer.closing?.failure == nil)
    }

    @Test func anOverloadedGatewayEndsTheSessionAndKeepsTheDocument() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(503, message: "busy"))
        #expect(gateway.peer.closing?.code == 4001)
        #expect(gateway.peer.closing?.failure?.isTransient == true)
        #expect(gateway.peer.store.collections[0].checkpoint == nil)
    }

    /// On a good network a connection lasts for days.
    @Test(arguments: [408, 429, 502, 504]) func whatMayPassIsTriedAgainWhileTheSessionGoesOn(status: Int) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        for _ in 0..<2 {
            try gateway.refuse(.rev, .http(status, message: "later"))
            try gateway.settle(until: gateway.peer.now + ActiveLimits.refusalRetry)
            #expect(gateway.peer.events.map(\.failure?.code) == [status], "it is reported once")
            try gateway.answer(.proposeChanges, [:], "[]")
        }
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing == nil)
        #expect(gateway.peer.events.map(\.failure?.code) == [status, nil])
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// Without retries of refusals, too: the session would never send the document.
    @Test func postponedDocumentsAreTriedAgainEvenIfRefusedOnesAreNot() throws {
        var configuration = try ActiveConfiguration.test(["field.sites"], pulls: false, isContinuous: true)
        configuration.retriesRefusals = false
        var gateway = ScriptedGateway(configuration, .editing("a", "b"))
        try gateway.answer(.getCollections, [:], "[{}]")
        try gateway.answer(.proposeChanges, [:], "[429,403]")
        try gateway.settle(until: gateway.peer.now + ActiveLimits.refusalRetry)
        let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last))
        #expect(proposed.rows.map(\.documentID) == ["a"])
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.answer(.rev)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.refusalRetry)
        #expect(!gateway.sent(.proposeChanges).contains { !$0.isNoReply })
        #expect(gateway.peer.events.map(\.failure?.code) == [429, 403, nil])
    }

    /// A change is not held back by what the gateway could not take, and is sent once.
    @Test func aChangeOvertakesWhatIsToBeTriedAgain() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, .editing("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(429, message: "later"))
        gateway.edit("a", #"{"n":2}"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.answer(.rev)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.refusalRetry)
        #expect(gateway.sent(.proposeChanges).allSatisfy(\.isNoReply) && gateway.sent(.rev).isEmpty)
        #expect(gateway.peer.events.map(\.failure?.code) == [429, nil])
    }
}
