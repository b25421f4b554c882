import DocumentValues
import GatewayCore
import GatewayServer
import Testing

/// `_changes?feed=websocket`
@Suite(.serialized) struct FeedSocketTests {
    private static let path = "\(TestTeam.collection)/_changes?feed=websocket"

    /// Opens the feed as a user and says what is wanted.
    private static func open(
        _ socket: RawSocket, _ user: String?, _ request: String?, path: String = Self.path, origin: String? = nil
    ) throws -> Int {
        var head = "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let user { head += "\(TestTeam.basic(user).0): \(TestTeam.basic(user).1)\r\n" }
        if let origin { head += "Origin: \(origin)\r\n" }
        try socket.send(Array((head + "\r\n").utf8))
        let status = try socket.head().status
        if let request { try socket.send(1, request) }
        return status
    }

    private static func ids(_ frame: (opcode: UInt8, data: [UInt8])?) -> [String]? {
        guard let frame, frame.opcode == 1 else { return nil }
        let rows = (try? JSONValue(parsing: frame.data))?.arrayValue
        return rows?.compactMap { $0["id"]?.stringValue }.filter { !$0.hasPrefix("_user/") }
    }

    private static func put(_ team: TestTeam, _ id: String, _ channel: String) async throws {
        let body: JSONValue = ["channels": [.string(channel)]]
        try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/\(id)", body))
    }

    /// What the client reads, one value a frame.
    private static func frames(
        _ gateway: TestGateway, _ user: String, _ request: String, _ count: Int
    ) async throws -> [String] {
        try await RawClient.onSocket(port: gateway.publicPort) { socket in
            guard try open(socket, user, request) == 101 else { return ["refused"] }
            return try (0..<count).map { _ in
                guard let frame = try socket.frame() else { return "end" }
                if frame.opcode == 8 { return "close \(Int(frame.data[0]) << 8 | Int(frame.data[1]))" }
                guard !frame.data.isEmpty else { return "" }
                return ids(frame)?.joined(separator: ",") ?? "?"
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func reportsWhatItsUserSees() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for (id, channel) in [("a", "north"), ("b", "south"), ("c", "north")] {
                try await Self.put(team, id, channel)
            }
            // An array of rows, an empty one when it has caught up, and the end when the time is over.
            let alice = try await Self.frames(gateway, "alice", #"{"since":0,"timeout":1}"#, 4)
            #expect(alice == ["a,c", "", "close 1000", "end"])
            #expect(try await Self.frames(gateway, "bob", #"{"since":0,"limit":2}"#, 3) == ["b", "close 1000", "end"])
            let filtered = #"{"filter":"sync_gateway/bychannel","channels":"south","timeout":1}"#
            #expect(try await Self.frames(gateway, "alice", filtered, 1) == [""])
            for wrong in [
                #"{"filter":"_doc_ids","doc_ids":["a"]}"#, "nonsense", #"{"since":"x"}"#, #"{"limit":"2"}"#, "[]", "",
            ] {
                #expect(try await Self.frames(gateway, "alice", wrong, 1) == ["close 1008"], "\(wrong)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func goesOnAndAnswersPings() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let (caughtUp, news) = AsyncStream<Void>.makeStream()
            async let heard = RawClient.onSocket(port: gateway.publicPort) { socket -> [String] in
                _ = try Self.open(socket, "alice", #"{"since":0,"include_docs":true}"#)
                var heard: [String] = []
                while let frame = try socket.frame() {
                    if frame.data == Array("[]".utf8) {
                        try socket.send(9, "still there?")
                        news.finish()
                    } else if frame.opcode == 10 {
                        heard.append(String(decoding: frame.data, as: UTF8.self))
                    } else if let ids = Self.ids(frame), !ids.isEmpty {
                        heard.append(ids.joined())
                        try socket.send(8, "")
                    } else if frame.opcode == 8 {
                        heard.append("closed")
                    }
                }
                return heard
            }
            for await _ in caughtUp {}
            try await Self.put(team, "later", "north")
            #expect(try await heard == ["still there?", "later", "closed"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func isOpenToWhomTheFeedIs() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let cases: [(String?, String, Int)] = [
                (nil, Self.path, 401), ("nobody", Self.path, 401), ("alice", "/nodb/_changes?feed=websocket", 401),
                ("alice", "/db.field.none/_changes?feed=websocket", 404),
                // A feed of another kind is no WebSocket.
                ("alice", "\(TestTeam.collection)/_changes?feed=normal", 200),
            ]
            for (user, path, status) in cases {
                let answer = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                    try Self.open(socket, user, nil, path: path)
                }
                #expect(answer == status, "\(user ?? "") \(path)")
            }
            let plain = try await RawClient.request(
                "GET", Self.path, port: gateway.publicPort, headers: [TestTeam.basic("alice")])
            #expect(plain.status == 400)
        }
    }

    /// What a client has asked for and does not read is on its user's account, as with any other answer.
    @Test(.timeLimit(.minutes(1))) func whatIsNotReadIsOnItsUsersAccount() async throws {
        var bounds = GatewayBounds()
        bounds.sendingOfOne = 8 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            let text = String(repeating: "0123456789", count: 600_000)
            let body: JSONValue = ["channels": ["north"], "text": .string(text)]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d", body))
            let request = #"{"since":0,"include_docs":true}"#
            do {
                let unread = try RawSocket(port: gateway.publicPort, receives: 65_536)
                #expect(try Self.open(unread, "alice", request) == 101)
                while try await Self.unsent(gateway) < text.utf8.count {}
                let second = try RawSocket(port: gateway.publicPort)
                #expect(try Self.open(second, "alice", request) == 101)
                var code: Int?
                while code == nil, let frame = try second.frame() {
                    if frame.opcode == 8 { code = Int(frame.data[0]) << 8 | Int(frame.data[1]) }
                }
                #expect(code == 1_013)
                withExtendedLifetime(unread) {}
            }
            while try await Self.unsent(gateway) > 0 {}
            #expect(try await Self.frames(gateway, "alice", request, 1) == ["d"])
        }
    }

    private static func unsent(_ gateway: TestGateway) async throws -> Int {
        let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort).text
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("fieldbook_gateway_unsent_bytes ") }
        return try #require(line.flatMap { Int($0.split(separator: " ")[1]) })
    }

    /// What Sync Gateway answers to requests that open no feed.
    @Test(.timeLimit(.minutes(1))) func handshakesAreRefusedAsBySyncGateway() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let feed = "\(TestTeam.collection)/_changes"
            #expect(try await team.user("alice", "POST", feed, ["feed": "websocket"]).status == 405)
            #expect(try await team.user("alice", "POST", Self.path, [:]).status == 405)
            for (query, status) in [
                ("", 101), ("filter=_doc_ids&doc_ids=a", 400), ("filter=none", 400), ("since=bad", 400),
                ("filter=sync_gateway/bychannel", 400), ("filter=sync_gateway/bychannel&channels=north", 101),
            ] {
                let answer = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                    try Self.open(socket, "alice", nil, path: "\(Self.path)&\(query)")
                }
                #expect(answer == status, "\(query)")
            }
        }
    }

    /// The channels of the query hold unless the first message names a filter; its other members mean nothing.
    @Test(.timeLimit(.minutes(1))) func theQueryMayNameTheChannels() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for (id, channel) in [("a", "north"), ("b", "south")] { try await Self.put(team, id, channel) }
            let path = "\(Self.path)&filter=sync_gateway/bychannel&channels=south&limit=1&since=99"
            for (request, expected) in [
                ("{}", []), (#"{"filter":"sync_gateway/bychannel","channels":"north"}"#, ["a"]),
            ] {
                let heard = try await RawClient.onSocket(port: gateway.publicPort) { socket -> [String]? in
                    _ = try Self.open(socket, "alice", request, path: path)
                    return Self.ids(try socket.frame())
                }
                #expect(heard == expected, "\(request)")
            }
        }
    }

    /// A browser sends its cookies with a WebSocket that any page opens, and shows the page what comes.
    @Test(.timeLimit(.minutes(1))) func isNoPagesThatTheRulesDoNotName() async throws {
        try await TestGateway.run {
            $0.crossOrigin = CrossOriginRules(origins: ["https://good.example"])
        } _: { gateway in
            _ = try await TestTeam(gateway)
            let cases = [
                ("https://good.example", gateway.publicPort, 101), ("https://evil.example", gateway.publicPort, 403),
                ("null", gateway.publicPort, 403), ("http://x", gateway.publicPort, 101),
                // Nobody said that the admin port's name is x.
                ("https://good.example", gateway.adminPort, 403), ("http://x", gateway.adminPort, 403),
            ]
            for (origin, port, status) in cases {
                let answer = try await RawClient.onSocket(port: port) { socket in
                    try Self.open(socket, "alice", nil, origin: origin)
                }
                #expect(answer == status, "\(origin) \(port == gateway.adminPort)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func endsWithItsUser() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let (caughtUp, news) = AsyncStream<Void>.makeStream()
            async let code = RawClient.onSocket(port: gateway.publicPort) { socket -> Int? in
                _ = try Self.open(socket, "alice", "{}")
                while let frame = try socket.frame() {
                    if frame.data == Array("[]".utf8) { news.finish() }
                    if frame.opcode == 8 { return Int(frame.data[0]) << 8 | Int(frame.data[1]) }
                }
                return nil
            }
            for await _ in caughtUp {}
            #expect(try await team.admin("PUT", "/db/_user/alice", ["disabled": true]).status == 200)
            #expect(try await code == 1_008)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aClientHasToMask() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            for opcode: UInt8 in [1, 8, 9] {
                let code = try await RawClient.onSocket(port: gateway.publicPort, limit: 10) { socket -> Int? in
                    _ = try Self.open(socket, "alice", nil)
                    try socket.send([0x80 | opcode, 0x02, 0x7B, 0x7D])
                    guard let frame = try socket.frame(), frame.opcode == 8 else { return nil }
                    return Int(frame.data[0]) << 8 | Int(frame.data[1])
                }
                #expect(code == 1_002, "\(opcode)")
            }
        }
    }

    /// Too long, unmasked, or in fragments without end: the connection is closed, and others go on.
    @Test(.timeLimit(.minutes(1))) func hostileFrames() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let hostile: [[UInt8]] = [
                [0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4], [0x81, 0x02, 0x7B, 0x7D], [0x80, 0x80, 1, 2, 3, 4],
                [0xFF, 0x80, 1, 2, 3, 4], [0x01, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4],
            ]
            for bytes in hostile {
                let end = try await RawClient.onSocket(port: gateway.publicPort, limit: 10) { socket -> Bool in
                    _ = try Self.open(socket, "alice", nil)
                    try socket.send(bytes + [UInt8](repeating: 0, count: 80_000))
                    // A reset is an end, too; a wait for more is not.
                    do {
                        while let frame = try socket.frame() { if frame.opcode == 8 { return true } }
                        return true
                    } catch let error as RawError {
                        return !error.description.contains("temporarily unavailable")
                    }
                }
                #expect(end, "\(bytes.prefix(4))")
            }
            try team.expect(200, try await team.user("alice", "GET", "/db/"))
        }
    }
}
