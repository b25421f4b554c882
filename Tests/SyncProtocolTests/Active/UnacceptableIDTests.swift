import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Documents under ids that cannot be kept here are not asked for, and block nobody else's.
@Suite struct UnacceptableIDTests {
    private static let ids = [
        "_x", "_local/x", "_user/ann", "_\u{301}x", #"a\nb"#, #"\u0000"#, "a\u{7F}",
        String(repeating: "x", count: 251), String(repeating: "x", count: 300),
    ]

    @Test(arguments: ids) func isSkippedAtTheAnnouncement(id: String) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let changes = gateway.announce(#"[[1,"\#(id)","1-aa"],[2,"b","2-bb"]]"#)
        #expect(gateway.bodyOfReply(changes) == "[0,[]]")
        gateway.announceCaughtUp()
        gateway.sendRev("b", "2-bb", sequence: "2")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000 && gateway.peer.closing?.failure == nil)
        let failures = gateway.peer.events.filter { $0.failure != nil }
        #expect(failures.map(\.failure) == [.badDocumentID], "reported once")
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.remote == "2", "it is not announced again")
    }

    @Test(arguments: [240, 241, 250]) func aLongIDIsTaken(length: Int) throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        let changes = gateway.announce(#"[[1,"\#(String(repeating: "x", count: length))","1-aa"]]"#)
        #expect(gateway.bodyOfReply(changes) == "[[]]")
    }

    /// An older version may have taken it: what is lost is purged whatever its name.
    @Test func aLostDocumentIsPurged() throws {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"_x","1-aa",2]]"#)
        #expect(gateway.peer.events.map(\.isAccessLost) == [true])
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
    }
}
