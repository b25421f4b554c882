import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import BLIPTransport

/// The client's request, and its reaction to the answers.
@Suite(.timeLimit(.minutes(5))) struct ClientHandshakeTests {
    /// The error of connecting to a server that gives this answer.
    private func failure(
        answering answer: String, configure: (inout BLIPClientConfiguration) -> Void = { _ in }
    ) async throws -> TransportError? {
        let server = try await RawSocket.listen { socket in
            _ = try await socket.readHead()
            try await socket.write(answer)
        }
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync")
        configure(&configuration)
        let error = await failure(of: configuration)
        try await server.stop()
        return error
    }

    private func failure(of configuration: BLIPClientConfiguration) async -> TransportError? {
        do throws(TransportError) {
            _ = try await BLIPConnector.connectWithRetries(configuration)
            return nil
        } catch {
            return error
        }
    }

    private struct SessionCookie: CookieKeeping {
        func cookie(for url: String) -> String? { url.hasSuffix("/db/_blipsync") ? "SyncGatewaySession=5e3d" : nil }
        func keep(setCookieHeaders headers: [String], from url: String) {}
    }

    @Test func theRequestIsSpeltAsCouchbaseLiteSpellsIt() async throws {
        let (heads, continuation) = AsyncStream<String>.makeStream()
        let server = try await RawSocket.listen { socket in
            continuation.yield(try await socket.readHead())
            try await socket.close()
        }
        let configuration = BLIPClientConfiguration(
            url: "ws://127.0.0.1:\(server.port)/db/_blipsync", authorization: "Basic YWxpY2U6cGFzcw==",
            cookies: SessionCookie(), userAgent: "Fieldbook/1", headers: [("X-Custom", "a"), ("X-Other", "b")])
        _ = await failure(of: configuration)
        var lines: [String] = []
        for await head in heads {
            lines = head.split(separator: "\r\n").map(String.init)
            break
        }
        #expect(
            lines.filter { !$0.hasPrefix("Sec-WebSocket-Key") } == [
                "GET /db/_blipsync HTTP/1.1", "Host: 127.0.0.1:\(server.port)",
                "Authorization: Basic YWxpY2U6cGFzcw==", "Cookie: SyncGatewaySession=5e3d", "User-Agent: Fieldbook/1",
                "X-Custom: a", "X-Other: b", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3,BLIP_3+CBMobile_2",
            ])
        try await server.stop()
    }

    @Test(arguments: [
        (401, "Unauthorized", "Login required"), (404, "Not Found", "no such database \"db\""),
        (503, "Service Unavailable", "DB is currently under maintenance"),
    ])
    func aRefusalCarriesTheServersReason(status: Int, phrase: String, reason: String) async throws {
        let escaped = reason.replacing("\"", with: "\\\"")
        let body = #"{"error":"\#(phrase)","reason":"\#(escaped)"}"#
        let error = try #require(
            try await failure(
                answering: "HTTP/1.1 \(status) \(phrase)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"))
        #expect(error.code == .httpStatus(status))
        #expect(error.serverReason == reason)
        #expect(error.message.contains(reason))
        #expect(error.hint != nil)
    }

    @Test func aPlainTextRefusalCarriesItsText() async throws {
        let text = "I only speak BLIP_3+CBMobile_4 protocols\n"
        let error = try #require(
            try await failure(
                answering: "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain; charset=utf-8\r\n"
                    + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"))
        #expect(error.code == .httpStatus(500))
        #expect(error.serverReason == "I only speak BLIP_3+CBMobile_4 protocols")
    }

    /// What servers say on a port for TLS to who comes without it, and what says that it is something else.
    @Test(arguments: [
        ("HTTP/1.0 400 Bad Request\r\n", "Client sent an HTTP request to an HTTPS server.\n", true),
        (
            "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n",
            "<html>The plain HTTP request was sent to HTTPS port</html>", true
        ),
        ("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n", "{}", false),
        ("HTTP/1.1 401 Unauthorized\r\n", "", false),
    ])
    func aPortThatSpeaksTLSIsRecognised(head: String, body: String, isHinted: Bool) async throws {
        let answer = "\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let error = try #require(try await failure(answering: answer))
        #expect((error.hint?.contains("wss:// instead of ws://") == true) == isHinted, "\(error)")
    }

    @Test(
        arguments: [
            ("Invalid login", "Check the name.", "Invalid login. Check the name."),
            ("Nothing listens.", "Check the port.", "Nothing listens. Check the port."),
            ("Why?", "Because.", "Why? Because."), ("It ends", nil, "It ends"), ("", "Check it.", "Check it."),
        ] as [(String, String?, String)])
    func textsAreJoinedWithAFullStop(message: String, hint: String?, text: String) {
        #expect(TransportError(.other, message: message, hint: hint).description == text)
    }

    @Test(arguments: [
        ("5", 5), ("0", 0), ("-1", nil), ("soon", nil), ("Fri, 31 Dec 1999 23:59:59 GMT", nil), ("", nil),
    ])
    func aRefusalSaysWhenToComeBack(value: String, seconds: Int?) async throws {
        let error = try #require(
            try await failure(
                answering: "HTTP/1.1 503 Service Unavailable\r\nRetry-After: \(value)\r\nContent-Length: 0\r\n\r\n"))
        #expect(error.code == .httpStatus(503) && error.retryAfter == seconds)
    }

    private static func switching(_ headers: String) -> String { "HTTP/1.1 101 Switching Protocols\r\n\(headers)\r\n" }

    @Test(arguments: [
        switching("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"),
        switching("Connection: Upgrade\r\nUpgrade: WebSocket\r\n"),
        switching("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n"),
        "SSH-2.0-OpenSSH_9.2\r\n\r\n", "220 mail.example ESMTP\r\n",
    ])
    func anAnswerThatIsNoWebSocketIsAViolation(answer: String) async throws {
        let server = try await RawSocket.listen { socket in
            _ = try await socket.readHead()
            try await socket.write(answer)
            try await socket.close()
        }
        let error = await failure(of: BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync"))
        #expect(error?.code == .protocolViolation)
        try await server.stop()
    }

    /// It says nothing of the server: a load balancer whose servers are being restarted does the same.
    @Test(arguments: ["", "HTTP/1.1 101 Switching", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgr"])
    func anEndInTheMiddleOfTheHandshakeMayPass(answer: String) async throws {
        let server = try await RawSocket.listen { socket in
            _ = try await socket.readHead()
            try await socket.write(answer)
            try await socket.close()
        }
        let error = await failure(of: BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync"))
        #expect(error?.code == .closed(code: 1006))
        try await server.stop()
    }

    @Test(arguments: [("BLIP_3+CBMobile_9" as String?, TransportError.Code.httpStatus(403)), (nil, .protocolViolation)])
    func aSubprotocolThatWasNotOfferedIsRefused(chosen: String?, expected: TransportError.Code) async throws {
        let server = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: chosen))
        }
        let error = await failure(of: BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync"))
        #expect(error?.code == expected)
        try await server.stop()
    }

    @Test func redirectsAreFollowed() async throws {
        let target = try await TestServer.start()
        let (port, stop) = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            let location = head.hasPrefix("GET /old") ? "/new" : "http://localhost:\(target.port)/db/_blipsync"
            try await socket.write("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(port)/old", authorization: "Basic eA==")
        configuration.headers = [("X-Api-Key", "secret"), ("Cookie", "token=secret")]
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        let head = try await target.nextConnection().head
        #expect(head.uri == "/db/_blipsync")
        // Another host gets no credentials.
        let secrets = ["Authorization", "X-Api-Key", "Cookie"]
        #expect(!head.headers.contains { secrets.contains($0.name) }, "\(head.headers)")
        connection.abort()
        try await stop()
        try await target.stop()
    }

    @Test func redirectsWithoutEndAreGivenUp() async throws {
        let error = try await failure(
            answering: "HTTP/1.1 301 Moved Permanently\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
        #expect(error?.code == .tooManyRedirects)
    }

    @Test func aServerThatSaysNothingTimesOut() async throws {
        let server = try await RawSocket.listen { socket in
            _ = await socket.readToEnd()
        }
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync")
        configuration.connectTimeout = .milliseconds(200)
        #expect(await failure(of: configuration)?.code == .timedOut)
        try await server.stop()
    }

    @Test func nobodyListeningIsRefused() async throws {
        let server = try await RawSocket.listen { _ in }
        try await server.stop()
        let error = await failure(of: BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync"))
        #expect(error?.code == .refused)
        #expect(error?.errno == 111)
    }

    @Test func aHostThatDoesNotExistIsADNSFailure() async throws {
        let error = await failure(of: BLIPClientConfiguration(url: "ws://no-such-host.invalid/db/_blipsync"))
        #expect(error?.code.isTemporaryDNSFailure != nil)
    }

    @Test(arguments: [
        "", "db", "ftp://host/db", "ws://", "ws://host:0/", "ws://host:99999/", "ws://ho st/", "ws://[::1/db",
    ])
    func urlsThatAreNone(url: String) async throws {
        #expect(await failure(of: BLIPClientConfiguration(url: url))?.code == .invalidURL)
    }

    @Test func headersCannotSmuggleLines() async throws {
        let configuration = BLIPClientConfiguration(
            url: "ws://127.0.0.1:1/", headers: [("X-A", "b\r\nAuthorization: Basic eA==")])
        #expect(await failure(of: configuration)?.code == .protocolViolation)
    }

    @Test func anUnknownInterfaceIsNamed() async throws {
        let configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:1/", networkInterface: "nowhere0")
        let error = await failure(of: configuration)
        #expect(error?.code == .unknownInterface)
        #expect(error?.hint?.contains("lo") == true)
    }

    @Test(arguments: [
        (["10.0.0.1", "fe80::1", "fd00::1"], ["10.0.0.1", "fd00::1"]), (["fe80::1", "2001:db8::1"], ["2001:db8::1"]),
        (["fe80::1"], ["fe80::1"]), (["127.0.0.1"], ["127.0.0.1"]), ([], []),
    ])
    func anInterfaceIsTriedWithEachFamily(addresses: [String], expected: [String]) throws {
        let chosen = NetworkInterface.choice(of: try addresses.map { try SocketAddress(ipAddress: $0, port: 7) })
        #expect(chosen.map(\.ipAddress) == expected)
        #expect(chosen.allSatisfy { $0.port == 0 })
    }

    @Test func theLoopbackInterfaceConnects() async throws {
        let server = try await TestServer.start()
        let configuration = BLIPClientConfiguration(url: server.url(), networkInterface: "lo")
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        #expect(connection.remoteAddress?.contains("127.0.0.1") == true)
        connection.abort()
        try await server.stop()
    }

    @Test func aCancelledAttemptEnds() async throws {
        let (accepted, continuation) = AsyncStream<Void>.makeStream()
        let server = try await RawSocket.listen { socket in
            continuation.yield()
            _ = await socket.readToEnd()
        }
        let attempt = Task {
            await failure(of: BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync"))
        }
        for await _ in accepted { break }
        attempt.cancel()
        #expect(await attempt.value?.code == .aborted)
        try await server.stop()
    }

    @Test func aProxyIsAskedToConnect() async throws {
        let target = try await TestServer.start()
        let proxy = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            #expect(head.hasPrefix("CONNECT localhost:\(target.port) HTTP/1.1\r\n"))
            #expect(head.contains("Proxy-Authorization: Basic eA==\r\n"))
            let far = try await RawSocket.connect(port: target.port)
            try await socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
            try await far.write(try await socket.readHead())
            try await socket.write(try await far.readHead())
        }
        let configuration = BLIPClientConfiguration(
            url: target.url(),
            proxy: .init(host: "127.0.0.1", port: proxy.port, authorization: "Basic eA=="))
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        #expect(connection.subprotocol == BLIPSubprotocol.version3)
        connection.abort()
        try await proxy.stop()
        try await target.stop()
    }

    @Test(arguments: [
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", TransportError.Code.httpStatus(407)),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .httpStatus(502)), ("what?\r\n\r\n", .proxy),
    ])
    func aProxyMayRefuse(answer: String, expected: TransportError.Code) async throws {
        let error = try await failure(answering: answer) { configuration in
            let port = Int(configuration.url.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
            configuration.proxy = .init(host: "127.0.0.1", port: port)
            configuration.url = "ws://example.com/db/_blipsync"
        }
        #expect(error?.code == expected)
    }
}

enum SwitchingAnswer {
    /// A right answer to a handshake, but for the subprotocol.
    static func to(_ head: String, subprotocol: String?) -> String {
        let key = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
        let chosen = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        return "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Accept: \(WebSocketKey.acceptance(of: String(key)))\r\n\(chosen)\r\n"
    }
}
