import BLIPProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The server's decision about a request for an upgrade.
public enum BLIPUpgradeDecision: Sendable {
    /// Switch protocols. `headers` go into the 101 answer after those of the protocol (`Server`, `Set-Cookie` …).
    case accept(subprotocol: String, headers: [(name: String, value: String)])
    /// Switch to a WebSocket without BLIP, for small messages of the client and any of the server's.
    case acceptMessages(headers: [(name: String, value: String)])
    /// Let the HTTP server answer, with 401, 404, 503 … It gets the request unchanged, `Upgrade` headers included.
    case passOn
}

/// The result for an accepted channel.
public enum BLIPServerNegotiation<Plain: Sendable>: Sendable {
    /// Ordinary HTTP, configured by the caller's initializer.
    case plain(Plain)
    /// A sync connection, not yet started, and the request that led to it.
    case upgraded(BLIPConnection, HTTPRequestHead)
    /// A WebSocket whose messages the caller reads and writes. Fragments are joined, control frames come as they are.
    case messages(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
    /// The client was gone, or had sent no request, before a decision.
    case closed
}

/// The server's side of the handshake.
public enum BLIPServerUpgrade {
    /// Prepares an accepted channel (behind TLS, if any) for HTTP/1.1 with a possible upgrade to BLIP.
    ///
    /// It looks at the first request only. A WebSocket handshake is shown to `authorize`, off the event loop; any other
    /// request, and one that is passed on, goes to the pipeline that `plain` sets up, with unchanged bytes: `plain` is
    /// called on the event loop with the channel as though nothing had been read.
    ///
    /// Must be called on the channel's event loop, before the channel reads. The result comes when the decision is
    /// made, so a channel's initializer must pass it on and not wait for it: nothing is read before that returns. It
    /// fails only if a handler cannot be added.
    ///
    /// - Parameters:
    ///   - pace: how fast a client has to complete a message that it has begun.
    ///   - readingLimit: how long a client may read nothing while answers wait for it.
    ///   - memory: the account for a large first request until it is decided; without one it is not counted.
    ///   - pieces: the owner of the small pieces that arrive; without one they are not counted.
    public static func configure<Plain: Sendable>(
        channel: any Channel, limits: BLIPLimits = BLIPLimits(), pace: ArrivalPace = TransportLimits.arrivalPace,
        readingLimit: TimeAmount = TransportLimits.readingLimit, memory: (any BLIPMemory)? = nil,
        pieces: PieceOwner? = nil,
        authorize: @escaping @Sendable (HTTPRequestHead) async -> BLIPUpgradeDecision,
        plain: @escaping @Sendable (any Channel) -> EventLoopFuture<Plain>
    ) -> EventLoopFuture<BLIPServerNegotiation<Plain>> {
        let negotiation = ServerNegotiation(
            channel: channel, limits: limits, pace: pace, readingLimit: readingLimit, memory: memory,
            authorize: authorize,
            plain: plain)
        if let pieces {
            do {
                try channel.pipeline.syncOperations.addHandler(PacedReads(pieces))
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
        return negotiation.begin()
    }

    /// The subprotocols that a request offers, in its order.
    public static func offeredSubprotocols(_ head: HTTPRequestHead) -> [String] {
        head.headers[canonicalForm: "Sec-WebSocket-Protocol"].map(String.init)
    }

    /// Whether a request opens a WebSocket.
    public static func isWebSocketHandshake(_ head: HTTPRequestHead) -> Bool {
        WebSocketHandshakeFault.first(in: head) == nil
    }

    /// The 101 answer, spelt as Couchbase Lite wants it: `Connection: Upgrade` alone, `websocket` in lower case.
    static func switchingProtocols(
        key: String, subprotocol: String?, headers: [(name: String, value: String)]
    ) -> String {
        var lines = [
            "HTTP/1.1 101 Switching Protocols", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketKey.acceptance(of: key))",
        ]
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        lines.append("Upgrade: websocket")
        lines += headers.map { "\($0.name): \($0.value)" }
        // Text from outside (a subprotocol, a cookie) must not add lines of its own.
        return lines.map { $0.filter { !$0.isNewline } + "\r\n" }.joined() + "\r\n"
    }
}
