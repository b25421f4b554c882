import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import Testing
import WorkCount

@testable import SyncProtocol

/// What a peer sends costs no more than in proportion to its size, read by itself.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GrowthTests {
    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    private static func message(_ text: String) -> BLIPMessage {
        BLIPMessage(kind: .request, number: 1, properties: [:], body: ByteBuffer(string: text))
    }

    private static func digest(_ number: Int) -> String { BlobDigest(of: Array("\(number)".utf8)).text }

    private struct Case: Sendable {
        let name: String
        let size: Int
        let text: @Sendable (Int) -> String
        let work: @Sendable (String) throws -> Void
    }

    private static let cases: [Case] = [
        Case(name: "members", size: 1_000, text: { "{\(list($0) { "\"k\($0)\":1" })}" }) {
            _ = try JSONValue(parsing: $0)
            var bytes = Array($0.utf8)
            _ = try JSONTopLevel(settling: &bytes)
        },
        Case(name: "one name", size: 1_000, text: { "{\(list($0) { "\"k\":\($0)" })}" }) {
            var bytes = Array($0.utf8)
            _ = try JSONTopLevel(settling: &bytes)
        },
        Case(name: "escaped names", size: 1_000, text: { "{\(list($0) { "\"\\u0061\($0)\":1" })}" }) {
            var bytes = Array($0.utf8)
            _ = try JSONTopLevel(settling: &bytes)
        },
        Case(name: "escapes", size: 1_000, text: { "{\"a\":\"\(list($0) { _ in "\\u00e9\\ud83d\\ude00\\ud800" })\"}" })
        {
            var bytes = Array($0.utf8)
            _ = try JSONTopLevel(settling: &bytes)
            _ = try JSONValue(parsing: $0)
        },
        Case(name: "objects", size: 1_000, text: { "{\"a\":[\(list($0) { "{\"k\":\($0),\"l\":1}" })]}" }) {
            var bytes = Array($0.utf8)
            _ = try JSONTopLevel(settling: &bytes)
        },
        Case(name: "history", size: 1_000, text: { list($0) { "\($0 + 1)-a" } }) {
            let history = try #require(RevisionHistory(parsing: $0))
            _ = history.property(through: nil, limit: 1_000_000, beside: nil)
        },
        Case(name: "rows", size: 500, text: { "[\(list($0) { "[\($0),\"d\($0)\",\"1-a\"]" })]" }) {
            _ = try Changes(message($0))
        },
        Case(name: "proposals", size: 500, text: { "[\(list($0) { "[\"d\($0)\",\"1-a\"]" })]" }) {
            _ = try ProposeChanges(message($0))
        },
        Case(
            name: "blobs that came with other metadata", size: 150,
            text: { count in
                let blobs = list(count) { "\"k\($0)\":{\"@type\":\"blob\",\"digest\":\"\(digest($0))\"}" }
                let others = list(count) { "\"blob_/k\($0)\":{\"stub\":true,\"digest\":\"\(digest($0 + 1))\"}" }
                return "{\(blobs),\"_attachments\":{\(others)}}"
            }
        ) { _ = try PulledBody(reading: Array($0.utf8)) },
        Case(
            name: "attachments of others", size: 300,
            text: { "{\"_attachments\":{\(list($0) { "\"a\($0)\":{\"stub\":true,\"digest\":\"\(digest($0))\"}" })}}" }
        ) { _ = try PulledBody(reading: Array($0.utf8)) },
        Case(
            name: "blobs to send", size: 300,
            text: { "{\(list($0) { "\"k\($0)\":{\"@type\":\"blob\",\"digest\":\"\(digest($0))\"}" })}" }
        ) {
            _ = try AttachmentSplice.body(Array($0.utf8), position: 2, over: RemoteAttachments(body: Array($0.utf8)))
        },
        Case(name: "difference", size: 500, text: { "{\(list($0) { "\"k\($0)\":1" })}" }) { text in
            let old = try JSONObject(parsing: Array(text.utf8))
            let new = try JSONObject(parsing: Array(text.replacing(":1", with: ":2").utf8))
            let delta = JSONDelta.difference(from: old, to: new)
            _ = try JSONDelta.apply(.object(delta), to: old)
        },
        Case(
            name: "wire difference of blobs", size: 150,
            text: { count in
                let blobs = list(count) { "\"k\($0)\":{\"@type\":\"blob\",\"digest\":\"\(digest($0))\"}" }
                let others = list(count) { "\"blob_/k\($0)\":{\"stub\":true,\"digest\":\"\(digest($0))\"}" }
                return "{\(blobs),\"_attachments\":{\(others)}}"
            }
        ) { text in
            let removed = (0..<text.utf8.count / 150).map { "\"blob_/k\($0)\":[]" }.joined(separator: ",")
            _ = DeltaBody.wirePatched(Array(text.utf8), with: Array("{\"_attachments\":{\(removed)}}".utf8))
        },
    ]

    @Test func readingGrowsWithTheSize() async throws {
        for one in Self.cases {
            let growth = try await Growth.of(one.size, prepare: one.text) { try one.work($0) }
            #expect(!growth.isSquare, "\(one.name): \(growth)")
        }
    }

    /// What a gateway announces is dealt with in proportion, too.
    @Test func announcementsGrowWithTheirNumber() async throws {
        let growth = try await Growth.of(2_000, prepare: { $0 }) { count in
            var gateway = try ScriptedGateway.opened(pushes: false)
            defer { #expect(gateway.peer.closing == nil) }
            for number in 0..<count / 100 {
                let rows = Self.list(100) { "[\(number * 100 + $0),\"d\(number * 100 + $0)\",\"1-a\"]" }
                _ = gateway.announce("[\(rows)]")
            }
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
