import DocumentValues
import GatewayCore
import GatewayServer
import Testing

/// Requests that a browser sends for a page from elsewhere.
@Suite(.serialized) struct CrossOriginTests {
    private static let friend = "https://app.example"
    private static let reader = "https://reader.example"
    private static let stranger = "https://evil.example"

    private func run(_ body: @escaping @Sendable (TestTeam) async throws -> Void) async throws {
        try await TestGateway.run {
            $0.crossOrigin = CrossOriginRules(
                origins: [Self.friend, Self.reader], loginOrigins: [Self.friend],
                headers: ["Content-Type", "Authorization"], maxAge: 600)
        } _: { gateway in
            try await body(try await TestTeam(gateway))
        }
    }

    private func ask(
        _ team: TestTeam, _ method: String, _ path: String, _ origin: String, _ more: [(String, String)] = []
    ) async throws -> RawAnswer {
        try await team.user("alice", method, path, headers: [("Origin", origin)] + more)
    }

    @Test(.timeLimit(.minutes(1))) func aKnownPageMayReadTheAnswer() async throws {
        try await run { team in
            let answer = try await ask(team, "GET", "/db/", Self.friend)
            #expect(answer.status == 200)
            #expect(answer.header("Access-Control-Allow-Origin") == Self.friend)
            #expect(answer.header("Access-Control-Allow-Credentials") == "true")
            #expect(answer.header("Access-Control-Allow-Headers") == "Content-Type, Authorization")
            let refusal = try await RawClient.request(
                "GET", "/db/", port: team.gateway.publicPort, headers: [("Origin", Self.friend)])
            #expect(refusal.status == 401)
            #expect(refusal.header("Access-Control-Allow-Origin") == Self.friend)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aBrowserAsksBeforehand() async throws {
        try await run { team in
            let path = "\(TestTeam.collection)/_bulk_docs"
            let answer = try await ask(team, "OPTIONS", path, Self.friend, [("Access-Control-Request-Method", "POST")])
            #expect(answer.status == 204)
            #expect(answer.header("Access-Control-Max-Age") == "600")
            #expect(answer.header("Access-Control-Allow-Methods")?.contains("POST") == true)
            let refused = try await ask(team, "OPTIONS", path, Self.stranger)
            #expect(refused.header("Access-Control-Allow-Origin") == nil)
            #expect(refused.header("Access-Control-Allow-Methods") == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func onlyLoginPagesSignInAndOut() async throws {
        try await run { team in
            for method in ["POST", "DELETE"] {
                for origin in [Self.reader, Self.stranger] {
                    let answer = try await ask(team, method, "/db/_session", origin)
                    #expect(answer.status == 400, "\(method) \(origin)")
                    #expect(answer.json?["reason"]?.stringValue == "No CORS")
                    #expect(answer.header("Set-Cookie") == nil)
                }
            }
            #expect(try await ask(team, "POST", "/db/_session", Self.friend).status == 200)
            // A page of the gateway's own host is nobody from elsewhere.
            #expect(try await ask(team, "POST", "/db/_session", "http://127.0.0.1").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aStrangePageOpensNoSyncConnection() async throws {
        try await run { team in
            func status(_ origin: String) async throws -> Int {
                let lines = [
                    "GET /db/_blipsync HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3", "Origin: \(origin)",
                    "Authorization: \(TestTeam.basic("alice").1)", "", "",
                ]
                return try await RawClient.onSocket(port: team.gateway.publicPort) { socket in
                    try socket.send(Array(lines.joined(separator: "\r\n").utf8))
                    return try socket.head().status
                }
            }
            let (known, strange) = (try await status(Self.friend), try await status(Self.stranger))
            #expect(known == 101)
            #expect(strange == 403)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aDatabaseCanHaveRulesOfItsOwn() async throws {
        try await run { team in
            let cors: JSONValue = ["cors": ["origin": ["*"], "max_age": 5]]
            try team.expect(201, try await team.admin("POST", "/db/_config", cors))
            #expect(try await ask(team, "GET", "/db/", Self.stranger).header("Access-Control-Allow-Origin") == "*")
            #expect(try await ask(team, "POST", "/db/_session", Self.friend).status == 400)
            for wrong: JSONValue in [["origin": "x"], ["max_age": -1], ["max_age": "x"], ["colour": []]] {
                #expect(try await team.admin("POST", "/db/_config", ["cors": wrong]).status == 400)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func noPageHasBusinessAtTheAdminPort() async throws {
        try await run { team in
            let answer = try await RawClient.request(
                "GET", "/db/", port: team.gateway.adminPort, headers: [("Origin", Self.friend)])
            #expect(answer.status == 200)
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
        }
    }
}
