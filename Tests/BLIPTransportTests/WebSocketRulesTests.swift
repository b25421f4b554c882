import BLIPProtocol
import NIOCore
import NIOPosix
import NIOWebSocket
import Testing

@testable import BLIPTransport

/// What both sides do about WebSocket frames, right and wrong ones.
@Suite(.timeLimit(.minutes(5))) struct WebSocketRulesTests {
    /// A server's connection whose client's bytes are the test's.
    private func upgraded(
        _ body: (RawSocket, TestPeer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start()
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n")
        _ = try await socket.readHead()
        let peer = TestPeer(answer: BLIPOutgoing.echo)
        try await server.nextConnection().connection.start(delegate: peer)
        try await body(socket, peer)
        try await server.stop()
    }

    /// A frame as a client writes it.
    private func masked(_ payload: [UInt8], opcode: UInt8 = 2, fin: Bool = true) -> [UInt8] {
        let key: [UInt8] = [1, 2, 3, 4]
        var frame: [UInt8] = [(fin ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        return frame + key + payload.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    /// Request 1 with Profile `x`.
    private static let request: [UInt8] = {
        var engine = BLIPEngine()
        try? engine.enqueue(.request(BLIPRequest(properties: ["Profile": "x"]), tag: 1))
        return (try? engine.nextFrame()).flatMap { $0 }.map { Array($0.readableBytesView) } ?? []
    }()

    @Test func fragmentsAreJoinedWithPingsBetweenThem() async throws {
        try await upgraded { socket, peer in
            let bytes = Self.request
            try await socket.write(masked(Array(bytes[..<3]), fin: false))
            try await socket.write(masked([7], opcode: 9))
            try await socket.write(masked([], opcode: 0, fin: false))
            try await socket.write(masked(Array(bytes[3...]), opcode: 0))
            guard case .request(let message) = try await peer.nextIncoming() else {
                Issue.record("no request")
                return
            }
            #expect(message.profile == "x")
            // An unmasked pong with the ping's payload, then the unmasked reply.
            #expect(try await socket.read(3) == [0x8A, 1, 7])
            #expect(try await socket.read(2) == [0x82, 7])
        }
    }

    private static let wrongFrames: [(frame: [UInt8], code: UInt16)] = [
        // Not masked; a reserved bit; text; unknown opcode; a continuation of nothing.
        ([0x82, 0x01, 0x00], 1002), ([0xC2, 0x80, 1, 2, 3, 4], 1002), ([0x81, 0x80, 1, 2, 3, 4], 1003),
        ([0x83, 0x80, 1, 2, 3, 4], 1002), ([0x80, 0x80, 1, 2, 3, 4], 1002),
        // A Close of one byte, one with 1005, a fragmented ping.
        ([0x88, 0x81, 0, 0, 0, 0, 3], 1002), ([0x88, 0x82, 0, 0, 0, 0, 3, 0xED], 1002),
        ([0x09, 0x80, 1, 2, 3, 4], 1002),
        // 2 MiB announced; a message that is no BLIP.
        ([0x82, 0xFF, 0, 0, 0, 0, 0, 0x20, 0, 0, 1, 2, 3, 4], 1009), ([0x82, 0x83, 0, 0, 0, 0, 1, 0, 0], 1011),
    ]

    @Test(arguments: wrongFrames)
    func wrongFramesEndTheConnection(frame: [UInt8], code: UInt16) async throws {
        try await upgraded { socket, peer in
            try await socket.write(frame)
            let close = try await socket.read(4)
            #expect(close[0] == 0x88)
            #expect(UInt16(close[2]) << 8 | UInt16(close[3]) == code)
            try await socket.close()
            let reason = try await peer.closeReason()
            #expect(reason.code == code)
            #expect(reason.error?.code == .protocolViolation)
            #expect(!reason.isByPeer)
        }
    }

    @Test func aMessageOfOneMegabyteInFragmentsIsAccepted() throws {
        var assembler = WebSocketAssembler(role: .server)
        let key: WebSocketMaskingKey = [0, 0, 0, 0]
        let part = ByteBuffer(repeating: 1, count: 1 << 18)
        for index in 0..<4 {
            let frame = WebSocketFrame(
                fin: index == 3, opcode: index == 0 ? .binary : .continuation, maskKey: key, data: part)
            let event = try assembler.receive(frame)
            #expect(index < 3 ? event == .incomplete : event == .message(ByteBuffer(repeating: 1, count: 1 << 20)))
        }
    }

    @Test func moreThanOneMegabyteOrTooManyFragmentsIsTooLarge() throws {
        let key: WebSocketMaskingKey = [0, 0, 0, 0]
        for part in [ByteBuffer(repeating: 1, count: 1 << 18), ByteBuffer()] {
            var assembler = WebSocketAssembler(role: .server)
            var failure: WebSocketViolation?
            do throws(WebSocketViolation) {
                for index in 0..<2_000 {
                    let opcode: WebSocketOpcode = index == 0 ? .binary : .continuation
                    _ = try assembler.receive(WebSocketFrame(fin: false, opcode: opcode, maskKey: key, data: part))
                }
            } catch {
                failure = error
            }
            #expect(failure?.code == 1009)
        }
    }

    @Test func aClientRefusesMaskedFrames() throws {
        var assembler = WebSocketAssembler(role: .client)
        #expect(throws: WebSocketViolation.self) {
            try assembler.receive(
                WebSocketFrame(fin: true, opcode: .binary, maskKey: [1, 2, 3, 4], data: ByteBuffer()))
        }
    }

    @Test func aCloseWithoutCodeIsAnsweredWithoutCode() async throws {
        try await upgraded { socket, peer in
            try await socket.write(masked([], opcode: 8))
            #expect(await socket.readToEnd() == [0x88, 0])
            #expect(try await peer.closeReason().code == 1005)
        }
    }

    @Test func longReasonsAreCutAtACharacter() {
        let text = String(repeating: "é", count: 100)
        #expect(text.prefix(utf8Bytes: 123).utf8.count == 122)
        #expect("short".prefix(utf8Bytes: 123) == "short")
    }
}
