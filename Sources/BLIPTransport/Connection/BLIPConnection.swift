import BLIPProtocol
import NIOCore
import NIOHTTP1

/// A WebSocket connection that carries BLIP, from either side of it.
///
/// It reads nothing before `start(delegate:)`. All methods may be called from any thread; calls of one thread take
/// effect in their order. A connection that is released without having been started is dropped.
public final class BLIPConnection: Sendable {
    /// The negotiated version.
    public let subprotocol: String
    /// The server's answer to the handshake (client side only).
    public let responseHeaders: HTTPHeaders
    /// The server's certificates, its own first, DER (client side, `wss` only).
    public let peerCertificates: [[UInt8]]
    /// For logs.
    public let remoteAddress: String?

    private let channel: any Channel
    private let handler: NIOLoopBound<BLIPChannelHandler>
    private let mailbox = ConnectionMailbox()

    /// Call it on the channel's event loop, when the channel uses WebSocket and `handler` is in its pipeline.
    init(
        channel: any Channel, handler: BLIPChannelHandler, subprotocol: String,
        responseHeaders: HTTPHeaders = HTTPHeaders(), peerCertificates: [[UInt8]] = []
    ) {
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.subprotocol = subprotocol
        self.responseHeaders = responseHeaders
        self.peerCertificates = peerCertificates
        remoteAddress = channel.remoteAddress.map { "\($0)" }
    }

    deinit {
        // Once started, the handler holds the connection until the channel is closed; so only a connection that was
        // never started ends here with its channel open.
        channel.close(mode: .all, promise: nil)
    }

    /// Begins to read; everything that happens from here on is reported to the delegate, which is kept until the end.
    ///
    /// - Parameter memory: the account for incomplete messages; without one they are not counted. When it is used up,
    ///   the connection is closed with 4001, so that the client comes back later.
    public func start(delegate: any BLIPConnectionDelegate, memory: (any BLIPMemory)? = nil) {
        perform(.start(delegate, memory))
    }

    /// Queues messages, in order. Calls in quick succession share one hop to the event loop and one flush.
    ///
    /// After `close` or the connection's end it does nothing.
    public func send(_ batch: [BLIPOutgoing]) { perform(.send(batch)) }

    /// Stops reading the socket, so that the peer is slowed down. While reading is paused, no pong is expected.
    public func pauseReading() { perform(.pauseReading) }

    public func resumeReading() { perform(.resumeReading) }

    /// Pings the server, and drops the connection if there is no answer soon: for use after a change of the network,
    /// which a socket does not notice. Only for a client.
    public func check() { perform(.check) }

    /// Sends the queued messages, then a Close; after 5 s without an answer the connection is dropped.
    public func close(code: UInt16 = WebSocketCloseCode.normal, reason: String = "") {
        perform(.close(code: code, reason: reason))
    }

    /// Drops the connection at once. The delegate gets 1006.
    public func abort() { perform(.abort) }

    private func perform(_ command: ConnectionCommand) {
        guard mailbox.put(command) else { return }
        channel.eventLoop.execute { self.handler.value.run(self.mailbox.takeAll(), for: self) }
    }
}
