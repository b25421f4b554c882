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

    /// The web view of a hybrid app sends a scheme of its own, and is named like any page.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true]) func aHybridAppIsAPage(isNamed: Bool) async throws {
        let app = "capacitor://localhost"
        try await TestGateway.run {
            $0.crossOrigin = CrossOriginRules(
                origins: [Self.friend] + (isNamed ? [app] : []), loginOrigins: [], headers: [], maxAge: 600)
        } _: { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await team.user(
                "alice", "PUT", "\(TestTeam.collection)/d", ["channels": ["north"]],
                headers: [("Origin", app), ("Content-Type", "application/json")])
            #expect(answer.status == (isNamed ? 201 : 403))
            #expect(answer.header("Access-Control-Allow-Origin") == (isNamed ? app : nil))
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

    /// A request to the admin or metrics port as a browser or a program sends it, and what it is answered.
    private struct Sent {
        let name: String
        var host = "127.0.0.1"
        var headers: [(String, String)] = []
        let isLetIn: Bool
    }

    private static let sent: [Sent] = [
        Sent(name: "curl", isLetIn: true),
        Sent(name: "an address and port", host: "10.1.2.3:4985", isLetIn: true),
        Sent(name: "an address of IPv6", host: "[::1]:4985", isLetIn: true),
        Sent(name: "localhost", host: "LocalHost:4985", isLetIn: true),
        Sent(name: "a configured name", host: "Gateway.example.org:4985", isLetIn: true),
        Sent(name: "a name that leads here", host: "evil.example:4985", isLetIn: false),
        Sent(name: "a name that looks like an address", host: "127.0.0.1.evil.example", isLetIn: false),
        Sent(name: "a name that looks like a configured one", host: "gateway.example.org.evil.example", isLetIn: false),
        Sent(name: "a page from elsewhere", headers: [("Origin", friend)], isLetIn: false),
        Sent(name: "a page in a frame without an origin", headers: [("Origin", "null")], isLetIn: false),
        Sent(name: "a page of another port", headers: [("Origin", "http://127.0.0.1:8080")], isLetIn: false),
        Sent(name: "a page of this port", headers: [("Origin", "http://127.0.0.1")], isLetIn: true),
        Sent(
            name: "a page of this port, by its usual number", headers: [("Origin", "HTTP://127.0.0.1:80")],
            isLetIn: true),
        Sent(name: "a page of no web server", headers: [("Origin", "ftp://127.0.0.1")], isLetIn: false),
        Sent(name: "a picture on a page", headers: [("Sec-Fetch-Site", "cross-site")], isLetIn: false),
        Sent(name: "a page of a sister host", headers: [("Sec-Fetch-Site", "same-site")], isLetIn: false),
        Sent(name: "an address that was typed", headers: [("Sec-Fetch-Site", "none")], isLetIn: true),
        Sent(name: "a link on an own page", headers: [("Sec-Fetch-Site", "same-origin")], isLetIn: true),
        Sent(name: "a name behind an address", host: "127.0.0.1:80@evil.example", isLetIn: false),
        Sent(name: "a name in brackets", host: "[evil.example]", isLetIn: false),
        Sent(name: "no host", host: "", isLetIn: false),
        Sent(name: "two hosts", headers: [("Host", "evil.example")], isLetIn: false),
        Sent(name: "the same host twice", headers: [("Host", "127.0.0.1")], isLetIn: false),
        Sent(name: "a picture on a page, in capitals", headers: [("Sec-Fetch-Site", "CROSS-SITE")], isLetIn: false),
        Sent(name: "a site of another word", headers: [("Sec-Fetch-Site", "x")], isLetIn: false),
        Sent(
            name: "two sites", headers: [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")],
            isLetIn: false),
        Sent(
            name: "an own page of a name that leads here", host: "evil.example",
            headers: [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "same-origin")], isLetIn: false),
    ]

    /// Without a login, and with one that a browser would add by itself.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func noPageFromElsewhereHasBusinessAtTheOtherPorts(asksForLogin: Bool) async throws {
        try await TestGateway.run {
            $0.adminAuthentication = asksForLogin
            $0.metricsAuthentication = asksForLogin
            $0.adminHostNames = ["gateway.example.org"]
        } _: { gateway in
            for sent in Self.sent {
                for (port, path, right) in [
                    (gateway.adminPort, "/_all_dbs", asksForLogin ? 401 : 200),
                    (gateway.metricsPort, "/_expvar", asksForLogin ? 401 : 200), (gateway.adminPort, "/nowhere", 404),
                ] {
                    let status = try await Self.status("GET", path, sent, port: port)
                    let isAsRight = status == right || (path == "/nowhere" && status != 403)
                    #expect(sent.isLetIn ? isAsRight : status == 403, "\(sent.name) \(path): \(status)")
                }
            }
        }
    }

    /// Without a `Host`, and with one in the target as proxies get it.
    @Test(.timeLimit(.minutes(1))) func theHostOfTheTargetCounts() async throws {
        try await TestGateway.run {
            $0.adminAuthentication = false
            $0.metricsAuthentication = false
        } _: { gateway in
            let requests: [(lines: [String], isLetIn: Bool)] = [
                (["GET PATH HTTP/1.1"], false), (["GET PATH HTTP/1.0"], true),
                (["GET PATH HTTP/1.0", "Host: evil.example"], false),
                (["GET http://evil.example/PATH HTTP/1.1", "Host: 127.0.0.1"], false),
                (["GET http://127.0.0.1PATH HTTP/1.1", "Host: evil.example"], false),
                (["GET http://127.0.0.1PATH HTTP/1.1", "Host: 127.0.0.1"], true),
            ]
            for (port, path) in [(gateway.adminPort, "/_all_dbs"), (gateway.metricsPort, "/_expvar")] {
                for (lines, isLetIn) in requests {
                    let head = lines.map { $0.replacing("PATH", with: path) } + ["Connection: close", "", ""]
                    let status = try await RawClient.onSocket(port: port) { socket in
                        try socket.send(Array(head.joined(separator: "\r\n").utf8))
                        return try socket.head().status
                    }
                    #expect(status == (isLetIn ? 200 : 403), "\(lines) at \(path)")
                }
            }
            #expect(try await RawClient.request("TRACE", "/_expvar", port: gateway.metricsPort).status == 405)
        }
    }

    /// Nothing is changed, and nothing is upgraded either.
    @Test(.timeLimit(.minutes(1))) func aPageFromElsewhereChangesNothingAtTheAdminPort() async throws {
        try await run { team in
            let handshake = [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
                ("Sec-WebSocket-Protocol", "BLIP_3+CBMobile_3"),
            ]
            for sent in Self.sent {
                var sent = sent
                let port = team.gateway.adminPort
                if !sent.isLetIn {
                    #expect(try await Self.status("POST", "/db/_offline", sent, port: port) == 403, "\(sent.name)")
                    #expect(try await Self.status("OPTIONS", "/db/_offline", sent, port: port) == 403, "\(sent.name)")
                }
                sent.headers += handshake
                let status = try await Self.status("GET", "/db/_blipsync", sent, port: port)
                let isLetIn = sent.isLetIn && sent.host.utf8.first != UInt8(ascii: "G")
                #expect(status == (isLetIn ? 101 : 403), "\(sent.name)")
            }
            #expect(try await team.admin("GET", "/db/").json?["state"] == "Online")
        }
    }

    private static func status(_ method: String, _ path: String, _ sent: Sent, port: Int) async throws -> Int {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(sent.host)"]
        if method == "POST" { lines.append("Content-Length: 0") }
        lines += sent.headers.map { "\($0.0): \($0.1)" } + ["", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        return try await RawClient.onSocket(port: port) { socket in
            try socket.send(bytes)
            return try socket.head().status
        }
    }

    /// A browser adds a cookie by itself, and does not ask beforehand where the body has no type.
    @Test(.timeLimit(.minutes(1))) func aStrangePageWritesNothingWithACookie() async throws {
        try await run { team in
            let session = try await team.user("alice", "POST", "/db/_session")
            let cookie = try #require(session.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
            let browser = [("Cookie", cookie)]
            let password = [TestTeam.basic("alice")]
            let documents = Array(#"{"docs":[{"_id":"x","channels":["north"]}]}"#.utf8)
            func status(_ method: String, _ path: String, _ headers: [(String, String)]) async throws -> Int {
                try await RawClient.request(
                    method, path, port: team.gateway.publicPort, headers: headers,
                    body: method == "POST" ? documents : nil
                ).status
            }
            let path = "\(TestTeam.collection)/_bulk_docs"
            let strange = [("Origin", Self.stranger)]
            #expect(try await status("POST", path, browser + strange) == 403)
            #expect(try await status("POST", path, browser + [("Origin", "null")]) == 403)
            #expect(try await status("POST", path, password + strange + [("Sec-Fetch-Site", "cross-site")]) == 403)
            #expect(try await status("DELETE", "\(TestTeam.collection)/x", browser + strange) == 403)
            #expect(try await status("GET", "\(TestTeam.collection)/x", browser + strange) == 404, "nothing was stored")
            #expect(try await status("OPTIONS", path, browser + strange) == 204)
            #expect(try await status("POST", path, browser) == 201)
            #expect(try await status("POST", path, browser + [("Origin", Self.friend)]) == 201)
            #expect(try await status("POST", path, browser + [("Origin", "http://127.0.0.1")]) == 201)
            #expect(try await status("POST", path, password) == 201, "a program names no page")
            #expect(try await status("POST", path, password + strange) == 403)
            for odd in ["Basic Og==", "Negotiate x"] {
                #expect(try await status("POST", path, browser + strange + [("Authorization", odd)]) == 403, "\(odd)")
            }
            let proxied = [("Origin", "https://outside.example"), ("Sec-Fetch-Site", "same-origin")]
            #expect(try await status("POST", path, browser + proxied) == 201)
            for reading in ["_all_docs", "_bulk_get", "_changes", "_revs_diff"] {
                let answer = try await status("POST", "\(TestTeam.collection)/\(reading)", browser + strange)
                #expect(answer != 403, "\(reading)")
            }
        }
    }
}
