import NIOCore
import NIOHTTP1

/// What a server decides about a request for an upgrade.
public enum BLIPUpgradeDecision: Sendable {
    /// Switch protocols. `headers` go into the 101 answer after those of the protocol (`Server`, `Set-Cookie` …).
    case accept(subprotocol: String, headers: [(name: String, value: String)])
    /// Let the HTTP server answer: with 401, 404, 503 … The request reaches it unchanged, `Upgrade` headers included.
    case passOn
}

/// What became of an accepted channel.
public enum BLIPServerNegotiation<Plain: Sendable>: Sendable {
    /// Ordinary HTTP, configured by the caller's initializer.
    case plain(Plain)
    /// A sync connection, not yet started, and the request that led to it.
    case upgraded(BLIPConnection, HTTPRequestHead)
    /// The client went away, or sent no request, before anything could be decided.
    case closed
}

/// The server's half of the handshake.
public enum BLIPServerUpgrade {
    /// Prepares an accepted channel (behind TLS, if any) for HTTP/1.1 with a possible upgrade to BLIP.
    ///
    /// It looks at the first request only. A WebSocket handshake is shown to `authorize`, off the event loop; any other
    /// request, and one that is passed on, goes to the pipeline that `plain` sets up, byte by byte as it came: `plain`
    /// is called on the event loop with the channel as though nothing had been read.
    ///
    /// Must be called on the channel's event loop, before the channel reads. The result comes when the decision is made.
    public static func configure<Plain: Sendable>(
        channel: any Channel,
        authorize: @escaping @Sendable (HTTPRequestHead) async -> BLIPUpgradeDecision,
        plain: @escaping @Sendable (any Channel) -> EventLoopFuture<Plain>
    ) -> EventLoopFuture<BLIPServerNegotiation<Plain>> {
        fatalError("to come")
    }

    /// The subprotocols that a request offers, in its order.
    public static func offeredSubprotocols(_ head: HTTPRequestHead) -> [String] {
        head.headers[canonicalForm: "Sec-WebSocket-Protocol"].map(String.init)
    }

    /// Whether a request asks for a WebSocket at all.
    public static func isWebSocketHandshake(_ head: HTTPRequestHead) -> Bool {
        head.method == .GET
            && head.headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
            && head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
            && head.headers.contains(name: "Sec-WebSocket-Key")
    }
}
