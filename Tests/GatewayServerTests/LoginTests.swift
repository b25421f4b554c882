import DocumentValues
@testable import GatewayServer
import Testing

/// Signing in over both ports: guessing, and the life of sessions.
@Suite(.serialized) struct LoginTests {
    private func session(_ answer: RawAnswer) throws -> String {
        let cookie = try #require(answer.header("Set-Cookie"))
        return String(try #require(cookie.split(separator: ";").first))
    }

    private func status(_ cookie: String, _ gateway: TestGateway) async throws -> Int {
        try await RawClient.request("GET", "/db/", port: gateway.publicPort, headers: [("Cookie", cookie)]).status
    }

    @Test(.timeLimit(.minutes(1))) func guessingIsSlowedDown() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            func attempt(_ name: String, _ password: String) async throws -> RawAnswer {
                try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic(name, password)])
            }
            for index in 0..<LoginLimits.freeFailures {
                #expect(try await attempt("alice", "wrong\(index)").status == 401)
            }
            // The right password opens nothing either, or its answer would show that.
            for password in ["wrong", "pass"] {
                let refused = try await attempt("alice", password)
                #expect(refused.status == 429)
                #expect(refused.header("Retry-After").flatMap { Int($0) } == 1)
                #expect(refused.json?["error"]?.stringValue == "Too Many Requests")
            }
            let form: JSONValue = ["name": "alice", "password": "pass"]
            let signIn = try await RawClient.request(
                "POST", "/db/_session", port: gateway.publicPort, body: form.bytes)
            #expect(signIn.status == 429)
            #expect(try await team.user("bob", "GET", "/db/").status == 200)
        }
    }

    private static func handshake(
        _ gateway: TestGateway, password: String, headers: [String] = [], agent: String = "Fieldbook/1.0"
    ) async throws -> RawAnswer {
        let lines =
            [
                "GET /db/_blipsync HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3", "User-Agent: \(agent)",
                "Authorization: \(TestTeam.basic("alice", password).1)",
            ] + headers + ["", ""]
        return try await RawClient.onSocket(port: gateway.publicPort) { socket in
            try socket.send(Array(lines.joined(separator: "\r\n").utf8))
            return try socket.head()
        }
    }

    /// Somebody at the same address guesses alice's password: the laptop with which she signed in before still syncs.
    @Test(.timeLimit(.minutes(1))) func guessesOfOthersDoNotShutAKnownLaptopOut() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let first = try await Self.handshake(gateway, password: "pass")
            #expect(first.status == 101)
            let cookie = try #require(first.header("Set-Cookie"))
            #expect(cookie.contains("; Path=/db; Expires=") && cookie.hasSuffix("; HttpOnly"), "\(cookie)")
            let mark = "Cookie: \(cookie.prefix { $0 != ";" })"
            for index in 0..<(LoginLimits.freeFailures + 2) {
                _ = try await Self.handshake(gateway, password: "wrong\(index)")
            }
            #expect(try await Self.handshake(gateway, password: "pass").status == 429)
            let again = try await Self.handshake(gateway, password: "pass", headers: [mark])
            #expect(again.status == 101)
            #expect(again.header("Set-Cookie") == nil)
            // It guesses no better than others.
            for index in 0..<LoginLimits.freeFailures {
                _ = try await Self.handshake(gateway, password: "wrong\(index)", headers: [mark])
            }
            #expect(try await Self.handshake(gateway, password: "pass", headers: [mark]).status == 429)
            // Stock clients get the answer that they know.
            let stock = try await Self.handshake(
                gateway, password: "pass", headers: [mark.replacing("=", with: "=0")], agent: "CouchbaseLite/3.2")
            #expect(stock.header("Set-Cookie") == nil)
        }
    }

    /// Somebody goes on with the old password, and the laptop that is known comes in with the new one.
    @Test(.timeLimit(.minutes(1))) func aNewPasswordEndsTheWait() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let first = try await Self.handshake(gateway, password: "pass")
            let mark = "Cookie: \(try #require(first.header("Set-Cookie")).prefix { $0 != ";" })"
            func guess() async throws {
                for index in 0..<(LoginLimits.freeFailures + 2) {
                    _ = try await Self.handshake(gateway, password: "wrong\(index)")
                }
            }
            try await guess()
            #expect(try await Self.handshake(gateway, password: "pass").status == 429)
            try team.expect(200, try await team.admin("PUT", "/db/_user/alice", ["password": "other"]))
            #expect(try await Self.handshake(gateway, password: "other").status == 101)
            try await guess()
            #expect(try await Self.handshake(gateway, password: "other").status == 429)
            let known = try await Self.handshake(gateway, password: "other", headers: [mark])
            // From then on it has a count of its own again.
            #expect(known.status == 101 && known.header("Set-Cookie") != nil)
        }
    }

    /// Everybody comes from the proxy's address; it says where they are.
    @Test(.timeLimit(.minutes(1))) func guessesBehindAProxyShutNobodyElseOut() async throws {
        try await TestGateway.run({ $0.trustedProxies = [AddressRange(text: "127.0.0.1")!] }) { gateway in
            _ = try await TestTeam(gateway)
            func status(_ password: String, from address: String) async throws -> Int {
                try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort,
                    headers: [TestTeam.basic("alice", password), ("X-Forwarded-For", address)]
                ).status
            }
            for index in 0..<LoginLimits.freeFailures {
                #expect(try await status("wrong\(index)", from: "192.0.2.1") == 401)
            }
            // What he says of others is no other address.
            #expect(try await status("pass", from: "198.51.100.9, 192.0.2.1") == 429)
            #expect(try await status("pass", from: "192.0.2.2") == 200)
            let sync = try await Self.handshake(gateway, password: "pass", headers: ["X-Forwarded-For: 192.0.2.1"])
            #expect(sync.status == 429)
            let other = try await Self.handshake(gateway, password: "pass", headers: ["X-Forwarded-For: 192.0.2.2"])
            #expect(other.status == 101)
        }
    }

    /// A handshake that is not let in is answered by a route, for which the password is not checked again.
    @Test(.timeLimit(.minutes(1)), arguments: ["_blipsync", "_changes?feed=websocket"])
    func aWrongPasswordOfAHandshakeCountsOnce(path: String) async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            func status() async throws -> Int {
                let lines = [
                    "GET /db/\(path) HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3",
                    "Authorization: \(TestTeam.basic("alice", "wrong").1)", "", "",
                ]
                return try await RawClient.onSocket(port: gateway.publicPort) { socket in
                    try socket.send(Array(lines.joined(separator: "\r\n").utf8))
                    return try socket.head().status
                }
            }
            for _ in 0..<LoginLimits.freeFailures {
                let refused = try await status()
                #expect(refused == 401)
            }
            let slowed = try await status()
            #expect(slowed == 429)
        }
    }

    @Test(.timeLimit(.minutes(1))) func manyGuessesAtOnceLearnNoMoreThanAFew() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        try await RawClient.request(
                            "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic("alice", "no\(index)")]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // On a slow machine the first pauses, of 1, 2 and 4 s, may pass meanwhile.
            #expect(statuses.filter { $0 == 401 }.count <= LoginLimits.freeFailures + 3)
            #expect(statuses.allSatisfy { $0 == 401 || $0 == 429 })
        }
    }

    @Test(.timeLimit(.minutes(1))) func sessionsAreMadeAndEnded() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let cookies = try await [
                session(team.user("alice", "POST", "/db/_session")),
                session(team.user("alice", "POST", "/db/_session")),
            ]
            let bob = try session(try await team.user("bob", "POST", "/db/_session"))
            for cookie in cookies + [bob] { #expect(try await status(cookie, gateway) == 200) }
            let id = cookies[0].dropFirst("SyncGatewaySession=".count)
            #expect(try await team.admin("DELETE", "/db/_user/bob/_session/\(id)").status == 404)
            #expect(try await team.admin("DELETE", "/db/_user/alice/_session/\(id)").status == 200)
            #expect(try await status(cookies[0], gateway) == 401)
            #expect(try await status(cookies[1], gateway) == 200)
            #expect(try await team.admin("DELETE", "/db/_user/alice/_session").status == 200)
            #expect(try await status(cookies[1], gateway) == 401)
            #expect(try await status(bob, gateway) == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func oneSessionIsEndedByItsID() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let cookies = try await [
                session(team.user("alice", "POST", "/db/_session")),
                session(team.user("alice", "POST", "/db/_session")),
            ]
            let id = cookies[0].dropFirst("SyncGatewaySession=".count)
            #expect(try await team.admin("GET", "/db/_session/\(id)").json?["userCtx"]?["name"] == "alice")
            #expect(try await team.admin("DELETE", "/db/_session/\(id)").status == 200)
            #expect(try await status(cookies[0], gateway) == 401)
            #expect(try await status(cookies[1], gateway) == 200)
            #expect(try await team.admin("GET", "/db/_session/\(id)").status == 404)
            for gone in [String(id), "none"] {
                #expect(try await team.admin("DELETE", "/db/_session/\(gone)").status == 404, "\(gone)")
            }
            #expect(try await team.admin("DELETE", "/db/_user/nobody/_session").status == 200)
            // A user's own port has no such route.
            let other = cookies[1].dropFirst("SyncGatewaySession=".count)
            #expect(try await team.user("alice", "DELETE", "/db/_session/\(other)").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSessionEndsWithItsTime() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for ttl: JSONValue in [0, -5] {
                #expect(try await team.admin("POST", "/db/_session", ["name": "alice", "ttl": ttl]).status == 400)
            }
            let made = try await team.admin("POST", "/db/_session", ["name": "alice", "ttl": 2])
            let id = try #require(made.json?["session_id"]?.stringValue)
            let cookie = "SyncGatewaySession=\(id)"
            #expect(try await status(cookie, gateway) == 200)
            // Asking does not make it longer for ever: it is waited for under the test's limit of time.
            while try await team.admin("GET", "/db/_session/\(id)").status == 200 {}
            #expect(try await status(cookie, gateway) == 401)
            #expect(try await team.admin("GET", "/db/_session/\(id)").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aOneTimeSessionOpensOneConnection() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await team.user("alice", "POST", "/db/_session?one_time=true")
            #expect(answer.status == 200)
            #expect(answer.header("Set-Cookie") == nil)
            let id = try #require(answer.json?["one_time_session_id"]?.stringValue)
            #expect(id.count == 40)
            func handshake() async throws -> RawAnswer {
                let lines = [
                    "GET /db/_blipsync HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Protocol: SyncGatewaySession_\(id), BLIP_3+CBMobile_3", "", "",
                ]
                return try await RawClient.onSocket(port: gateway.publicPort) { socket in
                    try socket.send(Array(lines.joined(separator: "\r\n").utf8))
                    return try socket.head()
                }
            }
            let first = try await handshake()
            #expect(first.status == 101)
            #expect(first.header("Sec-WebSocket-Protocol") == "BLIP_3+CBMobile_3")
            // With which a laptop compares its clock.
            let date = try #require(first.header("Date"))
            #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/) != nil)
            // By which a client's log names the connection.
            let correlation = try #require(first.header("X-Correlation-Id"))
            #expect(correlation.count == 8 && correlation.allSatisfy(\.isHexDigit))
            #expect(try await handshake().status == 401)
            #expect(try await status("SyncGatewaySession=\(id)", gateway) == 401)
        }
    }
}
