import BLIPProtocol
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import BLIPTransport

/// Frames of some kilobytes that inflate to megabytes: a connection's turn of the event loop ends with one of them.
@Suite(.timeLimit(.minutes(5))) struct ReadingTurnTests {
    /// A server's connection whose client sends `count` such requests at once.
    private final class Side {
        let loop = EmbeddedEventLoop()
        let channel: EmbeddedChannel
        let handler = BLIPChannelHandler(role: .server)
        let connection: BLIPConnection
        /// Heeds no acknowledgements.
        private var client: BLIPEngine

        init() {
            var limits = BLIPLimits()
            limits.flow.stallBytes = .max
            client = BLIPEngine(limits: limits)
            channel = EmbeddedChannel(handler: handler, loop: loop)
            connection = BLIPConnection(channel: channel, handler: handler, subprotocol: "x")
        }

        func send(_ count: Int, bytes: Int) throws {
            let body = BLIPBody.bytes(ByteBuffer(repeating: UInt8(ascii: " "), count: bytes))
            for tag in 0..<count {
                let request = BLIPRequest(properties: ["Profile": "x"], body: body, isCompressed: true, isNoReply: true)
                try client.enqueue(.request(request, tag: UInt64(tag)))
            }
            while let frame = try client.nextFrame() {
                channel.pipeline.fireChannelRead(
                    WebSocketFrame(fin: true, opcode: .binary, maskKey: [0, 0, 0, 0], data: frame))
            }
            channel.pipeline.fireChannelReadComplete()
        }

        /// Megabytes that the connection has inflated.
        var megabytes: Int { handler.engine.inflatedBytes >> 20 }

        func end() throws {
            connection.abort()
            loop.run()
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test func theRestWaitsForTheNextTurn() async throws {
        let side = Side()
        let peer = TestPeer()
        side.connection.start(delegate: peer)
        side.loop.run()
        try side.send(3, bytes: 6 << 20)
        // Each frame counts for itself, too.
        #expect((2..<12).contains(side.megabytes), "\(side.megabytes)")
        #expect(side.handler.isReadingPaused)
        side.loop.run()
        #expect(side.megabytes == 18 && !side.handler.isReadingPaused)
        for _ in 0..<3 {
            guard case .request(let message) = try await peer.nextIncoming() else { throw TestPeer.NothingMore() }
            #expect(message.body.readableBytes == 6 << 20)
        }
        try side.end()
    }

    @Test func aPauseHoldsWhatCameBefore() throws {
        let side = Side()
        side.connection.start(delegate: TestPeer())
        side.loop.run()
        side.connection.pauseReading()
        side.loop.run()
        try side.send(2, bytes: 1 << 20)
        side.loop.run()
        #expect(side.megabytes == 0 && side.handler.isReadingPaused)
        side.connection.resumeReading()
        side.loop.run()
        #expect(side.megabytes == 2 && !side.handler.isReadingPaused)
        try side.end()
    }

    /// A peer that closes while this side is paused has said why.
    @Test func aCloseThatWaitsIsHeard() async throws {
        let side = Side()
        let peer = TestPeer()
        side.connection.start(delegate: peer)
        side.connection.pauseReading()
        side.loop.run()
        try side.send(1, bytes: 1_000)
        let payload = ByteBuffer(integer: UInt16(4_001))
        side.channel.pipeline.fireChannelRead(
            WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: [0, 0, 0, 0], data: payload))
        side.channel.pipeline.fireChannelInactive()
        side.loop.run()
        let reason = try await peer.closeReason()
        #expect(reason.code == 4_001 && reason.isByPeer)
        try side.end()
    }

    @Test func smallMessagesShareATurn() throws {
        let side = Side()
        side.connection.start(delegate: TestPeer())
        side.loop.run()
        try side.send(500, bytes: 2_000)
        #expect(side.handler.engine.inflatedBytes >= 1_000_000 && !side.handler.isReadingPaused)
        try side.end()
    }

    /// What came before the start may be a lot, too.
    @Test func whatCameBeforeTheStartTakesTurns() throws {
        let side = Side()
        try side.send(3, bytes: 6 << 20)
        side.connection.start(delegate: TestPeer())
        side.loop.run()
        #expect(side.megabytes == 18 && !side.handler.isReadingPaused)
        try side.end()
    }
}
