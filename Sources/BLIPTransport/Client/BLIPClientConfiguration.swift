import NIOCore

/// Where and how a client connects.
public struct BLIPClientConfiguration: Sendable {
    /// Which certificates of a `wss` server are accepted.
    public enum TLSTrust: Sendable, Hashable {
        /// Signed by an authority that the system trusts, valid now, and for this host.
        case system
        /// Signed by one of these authorities (DER) instead, valid now, and for this host.
        case authorities(certificates: [[UInt8]])
        /// This certificate (DER), or one that it signed, while it is valid. The name of the host is not compared, unless
        /// the pinned certificate is that of a public authority.
        case pinned(certificate: [UInt8])
        /// Any certificate that is signed by its own key; none that an authority signed.
        case selfSignedOnly
    }

    /// An HTTP proxy, reached by `CONNECT`.
    public struct Proxy: Sendable, Hashable {
        public var host: String
        public var port: Int
        /// The value of `Proxy-Authorization`.
        public var authorization: String?

        public init(host: String, port: Int, authorization: String? = nil) {
            self.host = host
            self.port = port
            self.authorization = authorization
        }
    }

    /// The limits for a server that owes a reply.
    public struct Replies: Sendable {
        /// How long the server may owe a reply and send only pongs.
        public var silence = SilenceLimits()
        /// Whether a silence also counts if the server owes no reply. For connections that end as soon as all messages have
        /// come: on these the server always has something to send.
        public var awaitsMessages = false
        /// Called each time that the server owes a reply and has sent nothing for `silence.notice`, with the seconds of
        /// the silence, on any thread.
        public var reportSilence: (@Sendable (_ seconds: Int64) -> Void)?

        public init() {}
    }

    /// `ws://` or `wss://` (`http` and `https` are accepted too), with the whole path: `wss://host/db/_blipsync`.
    public var url: String
    /// The value of `Authorization`; dropped when a redirect leads to another host.
    public var authorization: String?
    public var cookies: (any CookieKeeping)?
    /// The value of `User-Agent`, unless `headers` has one.
    public var userAgent: String
    /// The application's own headers, sent in this order and unchanged. Like `authorization`, they are dropped when a
    /// redirect leads to another host, or from `wss` to `ws`.
    public var headers: [(name: String, value: String)]
    /// The offered subprotocols, in order of preference.
    public var subprotocols: [String]
    public var trust: TLSTrust
    /// How often the client pings, at fixed times from the connection on.
    public var heartbeat: TimeAmount
    /// How long the pong of a ping may take. `nil` is 20 s or a second less than the heartbeat, whichever is shorter;
    /// half the heartbeat if the heartbeat is less than 2 s.
    public var pongTimeout: TimeAmount?
    public var replies = Replies()
    /// The time for all steps up to the end of the handshake, including redirects.
    public var connectTimeout: TimeAmount
    /// The name (`eth0`) or an address of the interface to use.
    public var networkInterface: String?
    public var proxy: Proxy?
    /// Called with each step, on any thread.
    public var report: (@Sendable (ConnectionStep) -> Void)?

    public init(
        url: String, authorization: String? = nil, cookies: (any CookieKeeping)? = nil, userAgent: String = "Fieldbook",
        headers: [(name: String, value: String)] = [], subprotocols: [String] = BLIPSubprotocol.offered,
        trust: TLSTrust = .system, heartbeat: TimeAmount = TransportLimits.heartbeat, pongTimeout: TimeAmount? = nil,
        connectTimeout: TimeAmount = TransportLimits.connectTimeout, networkInterface: String? = nil,
        proxy: Proxy? = nil
    ) {
        self.url = url
        self.authorization = authorization
        self.cookies = cookies
        self.userAgent = userAgent
        self.headers = headers
        self.subprotocols = subprotocols
        self.trust = trust
        self.heartbeat = heartbeat
        self.pongTimeout = pongTimeout
        self.connectTimeout = connectTimeout
        self.networkInterface = networkInterface
        self.proxy = proxy
    }
}

/// The names of the protocol's versions.
public enum BLIPSubprotocol {
    public static let version3 = "BLIP_3+CBMobile_3"
    public static let version2 = "BLIP_3+CBMobile_2"
    /// The client's offer, in its order of preference.
    public static let offered = [version3, version2]
}
