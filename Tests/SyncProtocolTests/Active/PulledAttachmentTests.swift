import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// How many blobs are on their way at the same time.
@Suite struct PulledAttachmentTests {
    private static func digest(_ name: String) -> String { BlobDigest(of: Array(name.utf8)).text }

    /// A document with a blob of each of these lengths.
    private static func body(_ name: String, _ lengths: [Int?]) -> String {
        let members = lengths.enumerated().map { position, length in
            let length = length.map { #","length":\#($0)"# } ?? ""
            return #""p\#(position)":{"@type":"blob","digest":"\#(digest("\(name)\(position)"))"\#(length)}"#
        }
        return "{\(members.joined(separator: ","))}"
    }

    private func asked(_ gateway: ScriptedGateway) -> [String?] {
        gateway.sent(.getAttachment).map { $0.properties["digest"] }
    }

    /// The reply is what the model keeps under its digest.
    private func pulling(_ lengths: [Int?]) throws -> ScriptedGateway {
        var gateway = try ScriptedGateway.opened(pushes: false)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-aa", sequence: "1", Self.body("a", lengths))
        return gateway
    }

    @Test(arguments: [2 << 20, nil]) func largeOnesComeOneAfterTheOther(length: Int?) throws {
        var gateway = try pulling([Int?](repeating: length, count: 3))
        for position in 0..<3 {
            #expect(asked(gateway) == [Self.digest("a\(position)")])
            try gateway.answer(.getAttachment, [:], "a\(position)")
        }
        #expect(gateway.peer.store.live(in: 0).count == 1)
    }

    @Test func smallOnesComeSideBySide() throws {
        var gateway = try pulling([Int?](repeating: 20_000, count: 10))
        #expect(asked(gateway).count == 8)
        try gateway.answer(.getAttachment, [:], "a0")
        #expect(asked(gateway).count == 8)
        gateway = try pulling([Int?](repeating: 100_000, count: 10))
        #expect(asked(gateway).count == 2)
    }

    @Test func aLargeOneWaitsForTheSmallAndTheSmallForIt() throws {
        var gateway = try pulling([1_000, 2_000, 1 << 20, 3_000])
        #expect(asked(gateway) == [Self.digest("a0"), Self.digest("a1")])
        try gateway.answer(.getAttachment, [:], "a0")
        #expect(asked(gateway) == [Self.digest("a1")])
        try gateway.answer(.getAttachment, [:], "a1")
        #expect(asked(gateway) == [Self.digest("a2")])
        // What cannot be had makes room for the next.
        try gateway.refuse(.getAttachment, .http(404, message: "missing"))
        _ = gateway.announce(#"[[2,"b","1-bb"]]"#)
        gateway.sendRev("b", "1-bb", sequence: "2", Self.body("b", [4_000, 5_000]))
        #expect(asked(gateway) == [Self.digest("b0"), Self.digest("b1")])
    }

    @Test func collectionsShareTheLineAndTakeTurns() throws {
        var gateway = ScriptedGateway(
            try .test(["field.sites", "field.visits"], pushes: false), ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], "[{},{}]")
        for (index, name) in ["a", "b"].enumerated() {
            try gateway.answer(.subChanges)
            gateway.request(.changes, ["collection": "\(index)"], #"[[1,"\#(name)","1-aa"]]"#)
            gateway.request(
                .rev, ["collection": "\(index)", "id": name, "rev": "1-aa", "sequence": "1", "history": ""],
                Self.body(name, [1 << 20, 1 << 20]), isNoReply: true)
        }
        for name in ["a0", "b0", "a1", "b1"] {
            #expect(asked(gateway) == [Self.digest(name)])
            try gateway.answer(.getAttachment, [:], name)
        }
    }
}
