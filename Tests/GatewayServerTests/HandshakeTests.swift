import Testing

/// Requests at the sync endpoint that open no WebSocket: the answer says what is wrong with them.
@Suite(.serialized) struct HandshakeTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        var line = "GET /db/_blipsync HTTP/1.1"
        var changed: [String: [String]] = [:]
        let status: Int
        var answer: (name: String, value: String)?
    }

    private static let right = [
        "Connection": ["keep-alive, Upgrade"], "Upgrade": ["WebSocket"], "Sec-WebSocket-Version": ["13"],
        "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ=="], "Sec-WebSocket-Protocol": ["BLIP_3+CBMobile_3"],
    ]

    private static let cases = [
        Case(description: "right", status: 101),
        Case(
            description: "no Upgrade", changed: ["Upgrade": []], status: 426, answer: ("Upgrade", "websocket")),
        Case(
            description: "no Connection", changed: ["Connection": []], status: 426, answer: ("Connection", "Upgrade")),
        Case(description: "Upgrade to something else", changed: ["Upgrade": ["h2c"]], status: 426),
        Case(description: "neither", changed: right.mapValues { _ in [] }, status: 426),
        Case(
            description: "old version", changed: ["Sec-WebSocket-Version": ["8"]], status: 400,
            answer: ("Sec-WebSocket-Version", "13")),
        Case(description: "no version", changed: ["Sec-WebSocket-Version": []], status: 400),
        Case(description: "no key", changed: ["Sec-WebSocket-Key": []], status: 400),
        Case(description: "short key", changed: ["Sec-WebSocket-Key": ["YWJj"]], status: 400),
        Case(description: "wrong key", changed: ["Sec-WebSocket-Key": ["!!!!!!!!!!!!!!!!!!!!!!=="]], status: 400),
        Case(
            description: "two keys", changed: ["Sec-WebSocket-Key": right["Sec-WebSocket-Key"]! * 2], status: 400),
        Case(description: "no subprotocol", changed: ["Sec-WebSocket-Protocol": []], status: 400),
        Case(description: "other subprotocol", changed: ["Sec-WebSocket-Protocol": ["chat"]], status: 400),
        Case(description: "POST", line: "POST /db/_blipsync HTTP/1.1", status: 405),
        Case(description: "HTTP/1.0", line: "GET /db/_blipsync HTTP/1.0", status: 426),
        Case(
            description: "HEAD", line: "HEAD /db/_blipsync HTTP/1.1", changed: ["Upgrade": []], status: 426,
            answer: ("Content-Type", "text/plain; charset=utf-8")),
        Case(description: "no such database", line: "GET /nodb/_blipsync HTTP/1.1", status: 401),
    ]

    @Test(.timeLimit(.minutes(1))) func whatIsWrongIsSaid() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for odd in Self.cases {
                var head = "\(odd.line)\r\nHost: 127.0.0.1\r\n"
                let (name, value) = TestTeam.basic("alice")
                head += "\(name): \(value)\r\n"
                for (name, values) in Self.right.merging(odd.changed, uniquingKeysWith: { $1 }) {
                    for value in values { head += "\(name): \(value)\r\n" }
                }
                let answer = try await RawClient.onSocket(port: gateway.publicPort) { [head] socket in
                    try socket.send(Array((head + "\r\n").utf8))
                    return try socket.head()
                }
                #expect(answer.status == odd.status, "\(odd): \(answer.status)")
                if let (name, value) = odd.answer { #expect(answer.header(name) == value, "\(odd): \(answer.headers)") }
            }
            // A client's mistake is not the gateway's.
            let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
            #expect(metrics.text.contains("sgw_resource_utilization_error_count 0"))
            try team.expect(200, try await team.user("alice", "GET", "/db/"))
        }
    }

    /// Only a connection's first request can be upgraded; a client that tries later is answered so.
    @Test(.timeLimit(.minutes(1))) func aUsedConnectionIsNotUpgraded() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            var head = "GET /db/_blipsync HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            let (name, value) = TestTeam.basic("alice")
            head += "\(name): \(value)\r\n"
            for (name, values) in Self.right { head += "\(name): \(values[0])\r\n" }
            let statuses = try await RawClient.onSocket(port: gateway.publicPort) { [head] socket in
                try socket.send(Array("GET /_ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
                let first = try socket.answer(isHead: false).status
                try socket.send(Array((head + "\r\n").utf8))
                return [first, try socket.answer(isHead: false).status]
            }
            #expect(statuses == [200, 426])
        }
    }
}

private func * (values: [String], count: Int) -> [String] { (0..<count).flatMap { _ in values } }
