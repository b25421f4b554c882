import DocumentValues

/// Why a connection could not be made, or ended otherwise than by a close handshake.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of error. The list may grow: switch over it with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        enum Value: Sendable, Hashable {
            case dns(isTemporary: Bool)
            case refused
            case reset
            case timedOut
            case silent
            case unreachable
            case tls(TLSFailure)
            case httpStatus(Int)
            case tooManyRedirects
            case invalidRedirect
            case invalidURL
            case unknownInterface
            case proxy
            case protocolViolation
            case closed(code: UInt16)
            case aborted
            case other
        }

        let value: Value

        /// The name was not found, or (temporary) could not be asked for.
        public static func dns(isTemporary: Bool) -> Code { Code(value: .dns(isTemporary: isTemporary)) }
        public static let refused = Code(value: .refused)
        public static let reset = Code(value: .reset)
        public static let timedOut = Code(value: .timedOut)
        /// The server keeps the connection open, and sends nothing but pongs.
        public static let silent = Code(value: .silent)
        /// No route to the host or its network, or the network is down.
        public static let unreachable = Code(value: .unreachable)
        public static func tls(_ failure: TLSFailure) -> Code { Code(value: .tls(failure)) }
        /// The server answered the handshake with this status instead of 101.
        public static func httpStatus(_ status: Int) -> Code { Code(value: .httpStatus(status)) }
        public static let tooManyRedirects = Code(value: .tooManyRedirects)
        /// The server sends us elsewhere without saying where.
        public static let invalidRedirect = Code(value: .invalidRedirect)
        public static let invalidURL = Code(value: .invalidURL)
        public static let unknownInterface = Code(value: .unknownInterface)
        /// The proxy does not answer as one. Where it refuses, its status is the code.
        public static let proxy = Code(value: .proxy)
        /// The peer did not keep to HTTP, WebSocket or BLIP.
        public static let protocolViolation = Code(value: .protocolViolation)
        /// The connection ended with this WebSocket code; 1006 is an end without a close handshake.
        public static func closed(code: UInt16) -> Code { Code(value: .closed(code: code)) }
        /// This side dropped the connection.
        public static let aborted = Code(value: .aborted)
        public static let other = Code(value: .other)

        /// The status of `httpStatus`.
        public var httpStatus: Int? { if case .httpStatus(let status) = value { status } else { nil } }
        public var tlsFailure: TLSFailure? { if case .tls(let failure) = value { failure } else { nil } }
        /// Whether it is a failed name look-up, and if so whether it may pass.
        public var isTemporaryDNSFailure: Bool? {
            if case .dns(let isTemporary) = value { isTemporary } else { nil }
        }
        public var closeCode: UInt16? { if case .closed(let code) = value { code } else { nil } }

        public var description: String {
            switch value {
            case .dns(let isTemporary): isTemporary ? "dns (temporary)" : "dns"
            case .tls(let failure): "tls (\(failure.rawValue))"
            case .httpStatus(let status): "HTTP \(status)"
            case .closed(let code): "closed \(code)"
            case .refused, .reset, .timedOut, .silent, .unreachable, .tooManyRedirects, .invalidRedirect, .invalidURL,
                .unknownInterface, .proxy, .protocolViolation, .aborted, .other:
                "\(value)"
            }
        }
    }

    /// Why a certificate or the TLS handshake was not accepted.
    public enum TLSFailure: String, Sendable, Hashable {
        /// Not signed by an authority that the system, or the configuration, trusts.
        case untrusted
        /// Self-signed where the system's trust was asked for.
        case selfSigned
        /// Not self-signed where only that is accepted.
        case notSelfSigned
        case expired
        case notYetValid
        case hostMismatch
        /// Another certificate than the pinned one.
        case notPinned
        /// The same, and signed by itself.
        case selfSignedNotPinned
        case handshakeFailed
        case badConfiguration
    }

    public var code: Code
    /// One sentence for the person: the error, and the host.
    public var message: String
    /// What the person can do, if there is anything.
    public var hint: String?
    /// The server's own reason: the `reason` of a JSON body or a plain text, for `httpStatus`; the reason of a Close.
    public var serverReason: String?
    /// Seconds after which the server wants to be asked again (`Retry-After`), for `httpStatus`.
    public var retryAfter: Int?
    /// DER of the server's own certificate, for `tls`, if the handshake came so far.
    public var serverCertificate: [UInt8]?
    /// DER of the authority that has signed `serverCertificate`, where the server has sent it, too.
    public var serverAuthority: [UInt8]?
    /// The POSIX error, when there was one.
    public var errno: Int32?
    public var underlying: (any Error)?

    public init(
        _ code: Code, message: String, hint: String? = nil, serverReason: String? = nil, errno: Int32? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.serverReason = serverReason
        self.errno = errno
        self.underlying = underlying
    }

    public var description: String { Sentences.joined(message, hint: hint) }
}
