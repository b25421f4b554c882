import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import GatewayServer

/// Clients that send many requests without waiting for answers.
@Suite(.serialized) struct PipelinedRequestTests {
    private static let connections = 16
    /// As many as one read of the socket takes: all of them are parsed before the first is answered.
    private static let requests = 1500

    /// Public requests that were answered when the answer was made.
    private static func answered(_ gateway: TestGateway) async throws -> Int {
        let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
        let name = "fieldbook_gateway_requests_total{port=\"public\",status=\"200\"} "
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    /// Sends them all, notes when the first is answered, and reads all answers.
    private static func flood(port: Int, onFirst: @escaping @Sendable () -> Void) async throws -> Int {
        let request = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        return try await RawClient.onSocket(port: port, limit: 120) { socket in
            try socket.send(Array(repeatElement(request, count: requests).joined()))
            var right = 0
            for number in 0..<requests {
                if try socket.answer(isHead: false).status == 200 { right += 1 }
                if number == 0 { onFirst() }
            }
            return right
        }
    }

    /// Whether somebody else was answered before half of what the others had sent was; all of it is answered.
    private func isSomebodyElseAnswered(_ gateway: TestGateway) async throws -> Bool {
        let before = try await Self.answered(gateway)
        let (begun, note) = AsyncStream<Void>.makeStream()
        let total = Self.connections * Self.requests
        let meanwhile = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.connections {
                group.addTask { try await Self.flood(port: gateway.publicPort) { note.yield() } }
            }
            for await _ in begun { break }
            let meanwhile = try await Self.answered(gateway) - before
            #expect(try await group.reduce(0, +) == total)
            return meanwhile
        }
        return meanwhile < total / 2
    }

    /// A busy machine may be late with the other's request: it is enough to see it once.
    @Test(.timeLimit(.minutes(10))) func othersAreAnsweredInBetween() async throws {
        try await TestGateway.run { gateway in
            for _ in 0..<10 { if try await isSomebodyElseAnswered(gateway) { return } }
            Issue.record("Others waited for all requests of somebody else")
        }
    }

    @Test(arguments: [true, false]) func onlyWhoSendsAheadTakesTurns(isAhead: Bool) throws {
        let connection = ClientConnection(from: nil)
        let channel = EmbeddedChannel(handler: HTTP1Compatibility(connection))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        for _ in 0..<2 {
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            if isAhead { continue }
            try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }
        #expect(connection.turns.isPipelined == isAhead)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
