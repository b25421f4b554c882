import BLIPTransport
import NIOCore
import NIOPosix
import Testing

/// The server's half of the handshake, byte by byte.
@Suite(.timeLimit(.minutes(5))) struct ServerUpgradeTests {
    private static let handshake =
        [
            "GET /db/_blipsync HTTP/1.1", "Host: localhost", "Connection: keep-alive, Upgrade", "Upgrade: WebSocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Protocol: BLIP_3+CBMobile_4, BLIP_3+CBMobile_2,BLIP_3+CBMobile_3",
        ].joined(separator: "\r\n") + "\r\n\r\n"

    @Test func theAnswerIsSpeltAsClientsWantIt() async throws {
        let server = try await TestServer.start()
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(Self.handshake)
        #expect(
            try await socket.readHead() == [
                "HTTP/1.1 101 Switching Protocols", "Connection: Upgrade",
                "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "Sec-WebSocket-Protocol: BLIP_3+CBMobile_2",
                "Upgrade: websocket", "Server: Fieldbook", "X-Test: yes",
            ].joined(separator: "\r\n") + "\r\n\r\n")
        #expect(try await server.nextConnection().connection.subprotocol == BLIPSubprotocol.version2)
        try await socket.close()
        try await server.stop()
    }

    @Test func headersOfTheAnswerCannotSmuggleLines() async throws {
        let server = try await TestServer.start { _ in
            .accept(subprotocol: "x\r\nEvil: 1", headers: [("Set-Cookie", "a=b\r\nEvil: 2")])
        }
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(Self.handshake)
        #expect(try await !socket.readHead().contains("\r\nEvil"))
        try await socket.close()
        try await server.stop()
    }

    @Test func aRefusedHandshakeReachesTheHTTPServerWhole() async throws {
        let server = try await TestServer.start { _ in .passOn }
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(Self.handshake.replacing("/db/", with: "/missing/"))
        #expect(try await socket.readHead().hasPrefix("HTTP/1.1 404"))
        #expect(try await socket.read(33) == Array("GET /missing/_blipsync WebSocket 0".utf8.prefix(33)))
        try await socket.close()
        try await server.stop()
    }

    @Test func ordinaryRequestsDoNotNoticeTheGate() async throws {
        let server = try await TestServer.start()
        let socket = try await RawSocket.connect(port: server.port)
        let body = String(repeating: "x", count: 100_000)
        // In pieces, the first in the middle of the head; two requests on one connection.
        for _ in 1...2 {
            let request = "POST /db/doc HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n\(body)"
            try await socket.write(String(request.prefix(30)))
            try await socket.write(String(request.dropFirst(30)))
            #expect(try await socket.readHead().hasPrefix("HTTP/1.1 200"))
            #expect(try await socket.read(21) == Array("POST /db/doc - 100000".utf8))
        }
        try await socket.close()
        try await server.stop()
    }

    @Test func whatIsNoHTTPIsTheHTTPServersBusiness() async throws {
        let server = try await TestServer.start()
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write("\u{1}\u{2}\u{3} no http at all\r\n\r\n")
        #expect(try await socket.readHead().hasPrefix("HTTP/1.1 400"))
        try await socket.close()
        try await server.stop()
    }

    @Test(arguments: ["Sec-WebSocket-Version: 8", "Sec-WebSocket-Versio: 13"])
    func anotherVersionOfWebSocketIsNoHandshake(line: String) async throws {
        let server = try await TestServer.start()
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(Self.handshake.replacing("Sec-WebSocket-Version: 13", with: line))
        #expect(try await socket.readHead().hasPrefix("HTTP/1.1 200"))
        try await socket.close()
        try await server.stop()
    }
}
