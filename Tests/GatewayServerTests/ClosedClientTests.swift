import DocumentValues
import Testing

/// Clients that close the connection before it is their write's turn.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ClosedClientTests {
    private static func request(_ method: String, _ path: String, _ body: JSONValue) -> [UInt8] {
        let login = TestTeam.basic("alice")
        let lines = [
            "\(method) \(TestTeam.collection)/\(path) HTTP/1.1", "Host: a", "\(login.0): \(login.1)",
            "Content-Type: application/json", "Content-Length: \(body.bytes.count)", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8) + body.bytes
    }

    /// Each would keep the worker for slow functions for two seconds, and with it the next write of the same account.
    @Test(arguments: ["PUT", "_bulk_docs"]) func theirWritesAreGivenUp(by route: String) async throws {
        let log = LogLines()
        try await TestGateway.run(log: log) { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.admin("POST", "/db/_config", ["javascript_timeout_secs": 2])
            let slow: JSONValue = ["channels": ["north"], "loop": true]
            async let first = team.user("alice", "PUT", "\(TestTeam.collection)/first", slow)
            for number in 0..<6 {
                let id = "closed-\(number)"
                let bulk: JSONValue = ["docs": [["_id": .string(id), "channels": ["north"], "loop": true]]]
                let bytes = route == "PUT" ? Self.request("PUT", id, slow) : Self.request("POST", route, bulk)
                // The socket is closed when it is released.
                try await RawClient.onSocket(port: gateway.publicPort) { try $0.send(bytes) }
            }
            let last = try await team.user("alice", "PUT", "\(TestTeam.collection)/last", ["channels": ["north"]])
            try team.expect(201, last)
            #expect(try await first.status == 500)
            // One of them may have been with the worker already.
            #expect(log.all.count { $0.contains("closed-") && $0.contains("timed out") } <= 1, "\(log.all)")
        }
    }

    /// A client that closes only its own half of the connection looks the same.
    @Test func whoOnlySendsNoMoreIsAnswered() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let bytes = Self.request("PUT", "half", ["channels": ["north"]])
            let status = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                try socket.send(bytes)
                socket.halfClose()
                return try socket.head().status
            }
            #expect(status == 201)
            try team.expect(200, try await team.admin("GET", "\(TestTeam.collection)/half"))
        }
    }
}
