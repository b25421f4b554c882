import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// A document that somebody else goes on changing while a session that runs once pushes it.
@Suite struct RepeatedMergeTests {
    private static let byName = Array(#"{"docIDs":["a"]}"#.utf8)

    private func conflict(_ revision: String) -> String { #"[{"status":409,"rev":"\#(revision)"}]"# }

    /// "a" was changed on both sides, and both were put together.
    private func merged() throws -> ScriptedGateway {
        var client = ModelClient(collections: 1)
        for number in 1...2 { client.edit("a", in: 0, body: #"{"n":\#(number)}"#) }
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], conflict("1-0"))
        bring("1-0", sequence: 1, &gateway)
        return gateway
    }

    private func bring(_ revision: String, sequence: Int, _ gateway: inout ScriptedGateway) {
        _ = gateway.announce(#"[[\#(sequence),"a","\#(revision)"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", revision, sequence: "\(sequence)")
    }

    /// The gateway has another revision by now; the session asks for that after a pause.
    private func goOn(_ number: Int, _ gateway: inout ScriptedGateway) throws {
        try gateway.answer(.proposeChanges, [:], conflict("\(number)-0"))
        #expect(gateway.sent(.subChanges).isEmpty && gateway.peer.closing == nil, "it pauses")
        try gateway.settle(until: gateway.peer.now + ActiveLimits.longestMergePause)
        #expect(gateway.sent(.subChanges).map(\.bodyBytes) == [Self.byName])
        try gateway.answer(.subChanges)
    }

    private func failures(_ gateway: ScriptedGateway) -> [Int] { gateway.peer.events.compactMap(\.failure?.code) }

    @Test func bothArePutTogetherAgain() throws {
        var gateway = try merged()
        for number in 2...4 {
            try goOn(number, &gateway)
            bring("\(number)-0", sequence: number, &gateway)
        }
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last)).rows
        #expect(rows.map(\.serverRevision) == ["4-0"])
        try gateway.answer(.proposeChanges)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(failures(gateway).isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.isKnownToRemote == true)
    }

    /// Between proposal and revision, too.
    @Test func aRevisionThatCameTooLateIsPutTogetherAgain() throws {
        var gateway = try merged()
        try gateway.answer(.proposeChanges)
        try gateway.refuse(.rev, .http(409, message: "Document update conflict"))
        #expect(gateway.sent(.subChanges).isEmpty)
        try gateway.settle(until: gateway.peer.now + ActiveLimits.longestMergePause)
        try gateway.answer(.subChanges)
        bring("2-0", sequence: 2, &gateway)
        try gateway.answer(.proposeChanges)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && failures(gateway).isEmpty)
    }

    /// A program that never pauses is not waited for.
    @Test func itEnds() throws {
        var gateway = try merged()
        for number in 2..<Int(ActiveLimits.repeatedMerges) + 2 {
            try goOn(number, &gateway)
            bring("\(number)-0", sequence: number, &gateway)
        }
        try gateway.answer(.proposeChanges, [:], conflict("99-0"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && failures(gateway) == [409])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    /// It has left the user's channels meanwhile.
    @Test func whatDoesNotComeIsReported() throws {
        var gateway = try merged()
        try goOn(2, &gateway)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && failures(gateway) == [409])
    }

    @Test func pausesGrow() {
        var merges = RepeatedMerges()
        #expect(merges.pause(before: "a") == nil)
        let pauses = (0...ActiveLimits.repeatedMerges).map { _ in
            merges.noteMerged("a")
            return merges.pause(before: "a")
        }
        #expect(pauses.prefix(6) == [100, 200, 400, 800, 1_600, 2_000] && pauses.last == .some(nil))
        #expect(merges.pause(before: "b") == nil)
    }
}
