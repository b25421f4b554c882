import DocumentValues
import Testing

/// Clients that ask for a feed and go away while it waits.
@Suite(.serialized) struct LeavingClientTests {
    @Test(.timeLimit(.minutes(1)), arguments: ["longpoll", "continuous"])
    func theGatewayOutlivesOneWhoAskedWithABody(feed: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let body: JSONValue = ["feed": .string(feed)]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/a", ["channels": ["north"]]))
            for since in ["0", "100"] {
                for _ in 0..<3 {
                    try await leave(
                        "POST", "\(TestTeam.collection)/_changes?since=\(since)", body.bytes, gateway.adminPort)
                    try await leave(
                        "GET", "\(TestTeam.collection)/_changes?feed=\(feed)&since=\(since)", [], gateway.adminPort)
                }
            }
            try team.expect(200, try await team.admin("GET", "/db/"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aFeedAskedForWithABodyEndsInTime() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for _ in 0..<5 {
                let body: JSONValue = ["feed": "longpoll", "since": 100, "timeout": 10]
                let answer = try await team.admin("POST", "\(TestTeam.collection)/_changes", body)
                #expect(answer.json?["last_seq"]?.stringValue == "100")
            }
        }
    }

    /// Asks, waits for the head of the answer, and closes the connection.
    private func leave(_ method: String, _ target: String, _ body: [UInt8], _ port: Int) async throws {
        let head = "\(method) \(target) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n"
        try await RawClient.onSocket(port: port) { socket in
            try socket.send(Array(head.utf8) + body)
            _ = try socket.head()
        }
    }
}
