import BLIPProtocol
import NIOCore
import NIOHTTP1

/// A WebSocket connection that carries BLIP, from either side of it.
///
/// It reads nothing before `start(delegate:)`. All methods may be called from any thread; what one thread calls one
/// after the other happens in that order.
public final class BLIPConnection: Sendable {
    /// The version that was agreed on.
    public let subprotocol: String
    /// The server's answer to the handshake (client side only).
    public let responseHeaders: HTTPHeaders
    /// The server's certificates, its own first, DER (client side, `wss` only).
    public let peerCertificates: [[UInt8]]
    /// For logs.
    public let remoteAddress: String?

    init(subprotocol: String, responseHeaders: HTTPHeaders, peerCertificates: [[UInt8]], remoteAddress: String?) {
        self.subprotocol = subprotocol
        self.responseHeaders = responseHeaders
        self.peerCertificates = peerCertificates
        self.remoteAddress = remoteAddress
    }

    /// Begins to read; everything that happens from here on is told to the delegate, which is kept until the end.
    public func start(delegate: any BLIPConnectionDelegate) { fatalError("to come") }

    /// Queues messages, in order. Calls in quick succession share one hop to the event loop and one flush.
    ///
    /// After `close` or the connection's end it does nothing.
    public func send(_ batch: [BLIPOutgoing]) { fatalError("to come") }

    /// Stops reading the socket, so that the peer is slowed down. Pongs are not waited for meanwhile.
    public func pauseReading() { fatalError("to come") }

    public func resumeReading() { fatalError("to come") }

    /// Sends what is queued, then says goodbye; after 5 s without an answer the connection is dropped.
    public func close(code: UInt16 = WebSocketCloseCode.normal, reason: String = "") { fatalError("to come") }

    /// Drops the connection at once. The delegate hears 1006.
    public func abort() { fatalError("to come") }
}
