import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Documents that were purged here, and were made again: the gateway announced what it has of them before.
@Suite struct PurgedDocumentTests {
    private static let conflict = #"[{"status":409,"rev":"3-ff"}]"#
    private static let byName = Array(#"{"docIDs":["a"]}"#.utf8)

    /// The pull has come to 7; "a" is new here.
    private func reopened(isContinuous: Bool = false) throws -> ScriptedGateway {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: #"{"n":1}"#)
        client.collections[0].checkpoint = Array(#"{"remote":7}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], isContinuous: isContinuous), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","remote":7}]"#)
        try gateway.answer(.subChanges)
        return gateway
    }

    private func checkpoint(_ gateway: ScriptedGateway) throws -> Checkpoint {
        let body = try #require(gateway.peer.store.collections[0].checkpoint)
        return try #require(Checkpoint(parsing: body))
    }

    @Test func whatWasAnnouncedBeforeIsAskedForByName() throws {
        var gateway = try reopened()
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        let request = try #require(gateway.sent(.subChanges).first)
        #expect(request.bodyBytes == Self.byName)
        #expect(request.properties["since"] == nil && request.properties["continuous"] == nil)
        try gateway.answer(.subChanges)
        _ = gateway.announce(#"[[4,"a","3-ff"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "3-ff", sequence: "4")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil }, "nothing is reported as refused")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.remote == RevisionID("3-ff"))
        let saved = try checkpoint(gateway)
        #expect(saved.remote == "7", "the second feed's sequences say nothing of the first")
        #expect(saved.completed.contains(1))
    }

    /// Without one a filter of an earlier run has kept the gateway's out; with one it would be refused in every run once more.
    @Test(arguments: [true, false]) func whatWasKeptOutIsAskedForByName(hasFilter: Bool) throws {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: #"{"n":1}"#)
        client.share("a", in: 0)
        client.edit("a", in: 0, body: #"{"n":2}"#)
        client.collections[0].checkpoint = Array(#"{"local":1,"remote":7}"#.utf8)
        var configuration = try ActiveConfiguration.test(["field.sites"])
        configuration.collections[0].hasPullFilter = hasFilter
        var gateway = ScriptedGateway(configuration, client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1,"remote":7}]"#)
        try gateway.answer(.subChanges)
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        #expect(gateway.sent(.subChanges).map(\.bodyBytes) == (hasFilter ? [] : [Self.byName]))
        if !hasFilter {
            try gateway.answer(.subChanges)
            _ = gateway.announce(#"[[4,"a","3-ff"]]"#)
            gateway.announceCaughtUp()
            gateway.sendRev("a", "3-ff", sequence: "4")
        }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == (hasFilter ? ["a"] : []))
        let known = gateway.peer.store.collections[0].documents["a"]?.remote
        #expect((known == RevisionID("3-ff")) == !hasFilter)
    }

    /// As in a conflict that no resolver has settled.
    @Test func whatIsHereIsNotAskedFor() throws {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: #"{"n":1}"#)
        client.edit("a", in: 0, body: #"{"n":2}"#)
        client.collections[0].documents["a"]?.remote = RevisionID("3-ff")
        client.collections[0].checkpoint = Array(#"{"local":1,"remote":7}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"]), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1,"remote":7}]"#)
        try gateway.answer(.subChanges)
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.subChanges).isEmpty)
        #expect(gateway.peer.closing != nil)
    }

    @Test(arguments: [true, false]) func whatTheUserMayNotSeeIsAskedForOnce(isRefused: Bool) throws {
        var gateway = try reopened()
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        if isRefused {
            try gateway.refuse(.subChanges, .http(500, message: "already running"))
        } else {
            try gateway.answer(.subChanges)
            gateway.announceCaughtUp()
        }
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.subChanges).isEmpty)
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        #expect(try checkpoint(gateway).remote == "7")
    }

    /// What was purged since it left the user's channels, and made again, is not taken away once more.
    @Test(arguments: [true, false]) func whatLeftTheChannelsBeforeIsKept(asRow: Bool) throws {
        var gateway = try reopened()
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        try gateway.answer(.subChanges)
        _ = gateway.announce(asRow ? #"[[4,"a","3-ff",4]]"# : #"[[4,"a","3-ff"]]"#)
        gateway.announceCaughtUp()
        if !asRow { gateway.sendRev("a", "3-ff", sequence: "4", #"{"_removed":true}"#) }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].documents["a"] != nil)
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    /// Its feed has no end: the next session asks before it.
    @Test(arguments: [true, false]) func aSessionThatGoesOnEndsForWhatTheNextOneAsksFor(isOtherOpen: Bool) throws {
        var first = try reopened(isContinuous: true)
        try first.answer(.proposeChanges, [:], Self.conflict)
        first.announceCaughtUp()
        try first.settle(until: first.peer.now + ActiveLimits.conflictReportDelay)
        #expect(first.peer.closing?.failure == .asksAgain)
        #expect(first.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        #expect(try checkpoint(first).completed.contains(1))

        var configuration = try ActiveConfiguration.test(["field.sites"], isContinuous: true)
        configuration.collections[0].askedFor = ["a"]
        var next = ScriptedGateway(configuration, first.peer.store)
        try next.answer(.getCollections, [:], #"[{"_rev":"0-2","local":1,"remote":7}]"#)
        try next.answer(.proposeChanges, [:], Self.conflict)
        #expect(next.sent(.subChanges).map(\.bodyBytes) == [Self.byName])
        try next.answer(.subChanges)
        _ = next.announce(#"[[4,"a","3-ff"]]"#)
        next.announceCaughtUp()
        #expect(next.sent(.subChanges).isEmpty, "a gateway has one feed at a time")
        next.sendRev("a", "3-ff", sequence: "4")
        let request = try #require(next.sent(.subChanges).first)
        #expect(request.properties["since"] == "7" && request.properties["continuous"] == "true")
        #expect(next.peer.store.collections[0].rejected.isEmpty)
        #expect(next.peer.store.collections[0].documents["a"]?.remote == RevisionID("3-ff"))
        if isOtherOpen { try next.refuse(.subChanges, .http(500, message: "already running")) }
        try next.takeCheckpoints()
        #expect(next.peer.closing?.failure == (isOtherOpen ? .feedStillOpen : nil))
        #expect((next.peer.closing != nil) == isOtherOpen)
    }

    /// Of what is tried again in silence nobody has to hear once more.
    @Test func aQuietRetryEndsNoSession() throws {
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: #"{"n":1}"#)
        client.reject("a", in: 0)
        client.collections[0].checkpoint = Array(#"{"local":1,"remote":7}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], isContinuous: true), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1,"remote":7}]"#)
        try gateway.answer(.subChanges)
        try gateway.answer(.proposeChanges, [:], Self.conflict)
        gateway.announceCaughtUp()
        try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.closing == nil && gateway.peer.events.isEmpty)
    }
}
