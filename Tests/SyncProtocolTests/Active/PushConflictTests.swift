import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Documents of which the gateway has another branch.
@Suite struct PushConflictTests {
    @Test func aConflictWithARevisionThatIsAnAncestorIsNone() throws {
        var client = ModelClient.editing("a")
        let first = try #require(client.collections[0].documents["a"]?.current.id)
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(first)"}]"#)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.serverRevision) == [first.description])
        try gateway.answer(.proposeChanges)
        #expect(gateway.sent(.rev).first?.properties["history"] == first.description)
    }

    @Test func withoutAPullAConflictIsAnError() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, .editing("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-other"}]"#)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.closing?.failure == nil)
    }

    /// An application may take its own document away when it hears of the other one.
    @Test func aConflictEndsWithTheDocumentThatWasInIt() throws {
        var gateway = try ScriptedGateway.opened(.editing("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        gateway.peer.store.collections[0].documents["a"] = nil
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.sendRev("a", "1-bb", sequence: "7")
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure) == [nil], "it came, and nothing was refused")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// It says by that that something live has the id, which is no ancestor.
    @Test func aDeletionThatTheGatewayNamesAsItsOwnRevisionIsInConflict() throws {
        var client = ModelClient.editing("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, isDeleted: true)
        let deletion = try #require(client.collections[0].documents["a"]?.current.id)
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(deletion)"}]"#)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].documents["a"]?.isKnownToRemote == false)
    }

    @Test func aWonConflictIsPushedByTheSameRun() throws {
        var client = ModelClient.editing("a")
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-bb", sequence: "7")
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last)).rows
        #expect(rows.map(\.serverRevision) == ["1-bb"])
        try gateway.answer(.proposeChanges)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.isPush }.map(\.failure) == [nil], "no refusal is reported")
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.current.history.ancestors.first == RevisionID("1-bb"))
        #expect(document.isKnownToRemote)
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// A deletion here meets an edit there: the tombstone goes on top of the edit, in the same run.
    @Test func aDeletionThatWonIsPushedByTheSameRun() throws {
        var client = ModelClient.editing("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, isDeleted: true)
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"2-bb"}]"#)
        _ = gateway.announce(#"[[7,"a","2-bb"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "2-bb", sequence: "7")
        try gateway.answer(.proposeChanges)
        #expect(gateway.sent(.rev).first?.properties["deleted"] == "1")
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
        #expect(gateway.peer.store.collections[0].documents["a"]?.isKnownToRemote == true)
    }

    /// Nothing of what the gateway has is proposed again.
    @Test func aLostConflictNeedsNoSecondPush() throws {
        var client = ModelClient.editing("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"3-ff"}]"#)
        _ = gateway.announce(#"[[7,"a","3-ff"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "3-ff", sequence: "7")
        #expect(gateway.sent(.proposeChanges).isEmpty)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
    }

    /// Somebody saves at the gateway after it has asked for our revision.
    @Test(arguments: [true, false]) func aRevisionThatCameTooLateIsAConflict(isBrought: Bool) throws {
        var client = ModelClient.editing("a")
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges)
        try gateway.refuse(.rev, .http(409, message: "Document update conflict"))
        #expect(gateway.peer.events.isEmpty, "it is not settled yet")
        if isBrought {
            _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
            gateway.sendRev("a", "1-bb", sequence: "7")
        }
        gateway.announceCaughtUp()
        if isBrought {
            try gateway.answer(.proposeChanges)
            try gateway.answer(.rev)
        }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.isPush }.map(\.failure?.code) == [isBrought ? nil : 409])
        #expect(gateway.peer.store.collections[0].rejected.isEmpty == isBrought)
    }

    @Test func aConflictThatThePullDoesNotBringStaysInTheOutbox() throws {
        var gateway = try ScriptedGateway.opened(.editing("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    @Test func aConflictThatThePullDoesNotBringIsReportedWhileTheSessionGoesOn() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true, .editing("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        let start = gateway.peer.now
        // Not before the pull has had its chance.
        try gateway.settle(until: start + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.isEmpty && gateway.peer.store.collections[0].rejected.isEmpty)
        gateway.announceCaughtUp()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        // It is tried again like all that may pass, and reported once.
        try gateway.settle(until: start + 2 * ActiveLimits.refusalRetry)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.count == 1 && gateway.peer.closing == nil)
        // Here it comes after all, with the rights to see it.
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.sendRev("a", "1-bb", sequence: "7")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.remote == RevisionID("1-bb"))
        gateway.stop()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.events.filter { $0.failure != nil }.count == 1)
    }

    @Test func aConflictThatThePullBringsInTimeIsNotReported() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true, .editing("a"))
        gateway.announceCaughtUp()
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        let start = gateway.peer.now
        try gateway.settle(until: start + ActiveLimits.conflictReportDelay - 1)
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        // What is announced is waited for, however long it takes.
        gateway.peer.now = start + 2 * ActiveLimits.conflictReportDelay
        gateway.edit("b")
        #expect(gateway.peer.events.isEmpty)
        gateway.sendRev("a", "1-bb", sequence: "7")
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }
}
