import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Sessions over lines that break again and again.
@Suite struct TransferWindowTests {
    private static let single = TransferWindow.open.narrowed.narrowed

    private func opened(
        _ window: TransferWindow, pushes: Bool = false, _ client: ModelClient = ModelClient(collections: 1)
    ) throws -> ScriptedGateway {
        var configuration = try ActiveConfiguration.test(["field.sites"], pushes: pushes, pulls: !pushes)
        configuration.window = window
        var gateway = ScriptedGateway(configuration, client)
        try gateway.answer(.getCollections, [:], "[{}]")
        if !pushes { try gateway.answer(.subChanges) }
        return gateway
    }

    @Test func eachArrivalWidensTheWindowUntilItIsOpen() {
        var window = Self.single
        #expect(window.allows(besides: 0) && !window.allows(besides: 1) && window.rowsPerBatch == 1)
        window.arrived()
        #expect(window.allows(besides: 1) && !window.allows(besides: 2))
        for _ in 0..<ActiveLimits.widestWindow { window.arrived() }
        #expect(window == .open && window.rowsPerBatch == SyncLimits.rowsPerBatch)
        #expect(Self.single.narrowed == Self.single)
    }

    @Test(arguments: [(TransferWindow.open, "200"), (.open.narrowed, "10"), (.open.narrowed.narrowed, "1")])
    func aNarrowSessionRequestsShortMessages(window: TransferWindow, batch: String) throws {
        var configuration = try ActiveConfiguration.test(["field.sites"], pushes: false)
        configuration.window = window
        var gateway = ScriptedGateway(configuration, ModelClient(collections: 1))
        try gateway.answer(.getCollections, [:], "[{}]")
        #expect(gateway.sent(.subChanges).map { $0.properties["batch"] } == [batch])
    }

    @Test func revisionsAreRequestedOneByOne() throws {
        var gateway = try opened(Self.single)
        let messages = (1...4).map { gateway.announce(#"[[\#($0),"d\#($0)","1-aa"]]"#) }
        func answered() -> Int { messages.count { gateway.bodyOfReply($0) != nil } }
        #expect(answered() == 1)
        gateway.sendRev("d1", "1-aa", sequence: "1")
        #expect(answered() == 3, "the first has widened the window")
        gateway.sendRev("d2", "1-aa", sequence: "2")
        #expect(answered() == 4)
    }

    @Test func revisionsAreSentOneByOne() throws {
        var client = ModelClient(collections: 1)
        for number in 0..<4 { client.edit("d\(number)", in: 0) }
        var gateway = try opened(Self.single, pushes: true, client)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(gateway.sent(.rev).count == 1)
        try gateway.answer(.rev)
        #expect(gateway.sent(.rev).count == 2)
        for _ in 0..<3 { try gateway.answer(.rev) }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil && gateway.peer.events.count == 4)
    }

    // MARK: - A line that breaks

    private static let blobs = (0..<6).map { number in Array(String(repeating: "\(number)", count: 60_000).utf8) }

    /// A pull of a document with six blobs, until the line has carried 100 kilobytes.
    private func pull(_ window: TransferWindow, into client: ModelClient) throws -> ModelClient {
        let content = Dictionary(uniqueKeysWithValues: Self.blobs.map { (BlobDigest(of: $0).text, $0) })
        let members = content.keys.sorted().enumerated().map { number, digest in
            #""p\#(number)":{"@type":"blob","digest":"\#(digest)","length":60000}"#
        }
        var gateway = try opened(window, client)
        _ = gateway.announce(#"[[1,"a","1-aa"]]"#)
        gateway.sendRev("a", "1-aa", sequence: "1", "{\(members.joined(separator: ","))}")
        var sent: [String: Int] = [:]
        var left = 100_000
        while left > 0, let first = gateway.sent(.getAttachment).first {
            // A frame of each in turn.
            for message in gateway.sent(.getAttachment) {
                sent[message.properties["digest"] ?? "", default: 0] += 4_000
                left -= 4_000
            }
            let digest = first.properties["digest"] ?? ""
            guard sent[digest, default: 0] >= 60_000, let bytes = content[digest] else { continue }
            try gateway.answer(.getAttachment, [:], String(decoding: bytes, as: UTF8.self))
        }
        gateway.peer.lose()
        return gateway.peer.store
    }

    @Test(arguments: [true, false]) func sixBlobsComeOverALineThatBreaks(isNarrowed: Bool) throws {
        var client = ModelClient(collections: 1)
        var window = TransferWindow.open
        for _ in 0..<8 where client.collections[0].documents.isEmpty {
            let before = client.blobs.count
            client = try pull(window, into: client)
            if isNarrowed, client.blobs.count == before { window = window.narrowed }
        }
        #expect(client.blobs.count == (isNarrowed ? 6 : 0))
        #expect(client.collections[0].documents.isEmpty != isNarrowed)
    }
}
