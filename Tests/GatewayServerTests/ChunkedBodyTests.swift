import Testing

@testable import GatewayServer

/// Many clients write each document of a list as a chunk of its own.
@Suite(.serialized) struct ChunkedBodyTests {
    @Test(.timeLimit(.minutes(2))) func aBodyMayComeInSmallChunks() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let documents = (0..<3_000).map { #"\#($0 == 0 ? "" : ","){"_id":"site-\#($0)","channels":["north"]}"# }
            let chunks = ([#"{"docs":["#] + documents + ["]}"]).map {
                "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n"
            }
            let head =
                "POST \(TestTeam.collection)/_bulk_docs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Authorization: \(TestTeam.basic("alice").1)\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = try await RawClient.exchange(
                Array((head + chunks.joined() + "0\r\n\r\n").utf8), port: gateway.publicPort, limit: 60)
            #expect(answer.status == 201, "\(answer.text.prefix(300))")
            #expect(answer.text.contains("site-2999"), "\(answer.text.suffix(300))")
        }
    }
}
