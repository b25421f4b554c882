import DocumentValues
import Testing

/// What HTTP/1 says of connections and of bodies that are announced.
@Suite(.serialized) struct HTTP1CompatibilityTests {
    private static func put(_ path: String, _ headers: String) -> [UInt8] {
        let login = "Authorization: \(TestTeam.basic("alice").1)\r\n"
        return Array("PUT \(TestTeam.collection)/\(path) HTTP/1.1\r\nHost: h\r\n\(login)\(headers)\r\n".utf8)
    }

    @Test(.timeLimit(.minutes(1))) func aBodyThatIsAnnouncedIsAskedFor() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let body = Array(#"{"channels":["north"]}"#.utf8)
            try await RawClient.onSocket(port: gateway.publicPort) { socket in
                for id in ["a", "b"] {
                    try socket.send(Self.put(id, "Expect: 100-continue\r\nContent-Length: \(body.count)\r\n"))
                    #expect(try socket.head().status == 100)
                    try socket.send(body)
                    #expect(try socket.answer(isHead: false).status == 201)
                }
            }
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("d", "Expect: 100-continue\r\nContent-Length: 999999999\r\n", 413),
            ("d/file", "Expect: 100-continue\r\nContent-Length: 999999999\r\n", 413),
            ("d", "Expect: a-miracle\r\nContent-Length: 2\r\n", 417),
            ("d", "Expect: 100-Continue\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n", 415),
        ])
    func aBodyThatNobodyWantsIsNotAskedFor(path: String, headers: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let request = Self.put(path, headers)
            let answer = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                try socket.send(request)
                return try socket.answer(isHead: false)
            }
            #expect(answer.status == status)
            // What would come next could be the body, or another request.
            #expect(answer.header("Connection") == "close")
        }
    }

    /// Java's client and curl offer HTTP/2 like this; the parser reads nothing behind it.
    @Test(.timeLimit(.minutes(1)), arguments: ["h2c", "websocket", "anything"])
    func whoOffersAnotherProtocolIsAnsweredAndTakesAnotherConnection(name: String) async throws {
        try await TestGateway.run { gateway in
            let head =
                "Host: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\nHTTP2-Settings: AAMAAABk\r\n"
            for isFirst in [true, false] {
                let text = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                    if !isFirst {
                        try socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
                        #expect(try socket.answer(isHead: false).status == 200)
                    }
                    try socket.send(Array("GET / HTTP/1.1\r\n\(head)\r\n".utf8))
                    return try socket.read(to: "\0") ?? ""
                }
                #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.contains("Connection: close"), "\(text)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["", "Connection: keep-alive\r\n"])
    func whoSpeaksTheOldVersionIsUnderstood(headers: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for number in 0..<3 {
                try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d\(number)", [:]))
            }
            for path in ["/", "\(TestTeam.collection)/_changes?feed=longpoll", "\(TestTeam.collection)/_all_docs"] {
                let text = try await RawClient.onSocket(port: gateway.adminPort) { socket in
                    try socket.send(Array("GET \(path) HTTP/1.0\r\n\(headers)\r\n".utf8))
                    return try socket.read(to: "\0") ?? ""
                }
                let lines = text.lowercased().split(separator: "\r\n")
                #expect(lines.first == "http/1.0 200 ok" && lines.contains("connection: close"), "\(text)")
                let end = text.last { !$0.isNewline }
                #expect(!text.lowercased().contains("chunked") && end == "}", "\(text)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["close", "Close", "close, TE"])
    func whoWantsTheConnectionClosedHearsSo(value: String) async throws {
        try await TestGateway.run { gateway in
            let text = try await RawClient.onSocket(port: gateway.publicPort) { socket in
                try socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\nConnection: \(value)\r\n\r\n".utf8))
                return try socket.read(to: "\0") ?? ""
            }
            #expect(text.contains("HTTP/1.1 200 OK") && text.lowercased().contains("connection: close"), "\(text)")
        }
    }
}
