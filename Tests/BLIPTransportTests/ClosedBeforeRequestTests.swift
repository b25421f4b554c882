import BLIPTransport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

/// A client that ends its side before, or right after, it has asked for something.
@Suite struct ClosedBeforeRequestTests {
    /// What is found out about a connection on which these bytes came before the client ended its side.
    private static func outcome(of bytes: String) throws -> (isClosed: Bool, isPlain: Bool) {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let outcome = Mutex<(isClosed: Bool, isPlain: Bool)>((false, false))
        BLIPServerUpgrade.configure(
            channel: channel, authorize: { _ in .passOn }, plain: { $0.eventLoop.makeSucceededVoidFuture() }
        ).whenSuccess { found in
            outcome.withLock {
                switch found {
                case .closed: $0.isClosed = true
                case .plain: $0.isPlain = true
                case .upgraded, .messages: break
                }
            }
        }
        if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(string: bytes)) }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        if outcome.withLock({ $0.isClosed }) { #expect(!channel.isActive) }
        return outcome.withLock { $0 }
    }

    /// It would be counted on its address until the first request is given up.
    @Test func whoSendsNothingIsGone() throws {
        #expect(try Self.outcome(of: "") == (isClosed: true, isPlain: false))
    }

    @Test func whoHasAskedIsAnswered() throws {
        #expect(try Self.outcome(of: "GET / HTTP/1.1\r\nHost: x\r\n\r\n") == (isClosed: false, isPlain: true))
    }

    /// The HTTP server says that it is none.
    @Test func halfARequestIsAnswered() throws {
        #expect(try Self.outcome(of: "GET / HTTP/1.1\r\nHo") == (isClosed: false, isPlain: true))
    }
}
