import DocumentValues
import Foundation
import Testing

/// Sync connections that the gateway ends, and how: their clients have to come back.
@Suite(.serialized) struct SessionRevocationTests {
    /// Opens a sync connection and reads until its end: the code of the Close frame, or `nil` for an end without one.
    private static func codeOfEnd(
        _ port: Int, _ credentials: (name: String, value: String),
        whenOpen: @escaping @Sendable () async throws -> Void
    ) async throws -> Int? {
        let lines = [
            "GET /db/_blipsync HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3", "\(credentials.name): \(credentials.value)", "", "",
        ]
        let (opened, isOpen) = AsyncStream<Int>.makeStream()
        async let code = RawClient.onSocket(port: port) { socket -> Int? in
            try socket.send(Array(lines.joined(separator: "\r\n").utf8))
            isOpen.yield(try socket.head().status)
            isOpen.finish()
            return try socket.closeCode()
        }
        for await status in opened { #expect(status == 101) }
        try await whenOpen()
        return try await code
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["disabled", "deleted", "offline", "configured", "shut down"])
    func whoMayNotStayIsSentAway(how: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let code = try await Self.codeOfEnd(gateway.publicPort, TestTeam.basic("alice")) {
                switch how {
                case "disabled": _ = try await team.admin("PUT", "/db/_user/alice", ["disabled": true])
                case "deleted": _ = try await team.admin("DELETE", "/db/_user/alice")
                case "offline": _ = try await team.admin("POST", "/db/_offline")
                case "shut down": await gateway.shutDown()
                default: _ = try await team.admin("POST", "/db/_config", ["revs_limit": 20])
                }
            }
            #expect(code == 4001)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSessionTakesItsConnectionWithIt() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await team.user("alice", "POST", "/db/_session")
            let cookie = try #require(answer.header("Set-Cookie")?.split(separator: ";").first)
            let id = cookie.split(separator: "=").last ?? ""
            let code = try await Self.codeOfEnd(gateway.publicPort, ("Cookie", String(cookie))) {
                try await team.expect(200, team.admin("DELETE", "/db/_session/\(id)"))
            }
            #expect(code == 4001)
        }
    }
}
