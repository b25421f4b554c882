import NIOCore

/// A whole message as it was received.
public struct BLIPMessage: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case request
        case response
        case error
    }

    public var kind: Kind
    /// A request's own number, or that of the request which is answered.
    public var number: UInt32
    public var properties: BLIPProperties
    public var body: ByteBuffer
    public var isUrgent: Bool
    /// Whether the last frame was compressed.
    public var isCompressed: Bool
    /// Whether the sender wants no reply, and must not get one.
    public var isNoReply: Bool

    public init(
        kind: Kind, number: UInt32, properties: BLIPProperties, body: ByteBuffer = ByteBuffer(), isUrgent: Bool = false,
        isCompressed: Bool = false, isNoReply: Bool = false
    ) {
        self.kind = kind
        self.number = number
        self.properties = properties
        self.body = body
        self.isUrgent = isUrgent
        self.isCompressed = isCompressed
        self.isNoReply = isNoReply
    }

    public var profile: String? { properties.profile }

    /// The body as an array, copied.
    public var bodyBytes: [UInt8] { Array(body.readableBytesView) }
}

/// The error answer to a request.
public struct BLIPErrorReply: Error, Sendable, Hashable, CustomStringConvertible {
    /// `HTTP` with a status code, `BLIP` for the framework's own, or a domain of the peer's.
    public var domain: String
    public var code: Int
    /// For a person; may be empty.
    public var message: String

    public init(domain: String, code: Int, message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }

    public static let httpDomain = "HTTP"
    public static let blipDomain = "BLIP"

    /// An application's error, by HTTP status.
    public static func http(_ status: Int, message: String = "") -> BLIPErrorReply {
        BLIPErrorReply(domain: httpDomain, code: status, message: message)
    }

    /// No handler for the request's `Profile`.
    public static func unknownProfile(_ profile: String?) -> BLIPErrorReply {
        BLIPErrorReply(
            domain: blipDomain, code: 404, message: profile.map { "No handler for \($0)" } ?? "No Profile property")
    }

    /// Reads an error message. A code that is missing or no number becomes 0.
    public init(_ message: BLIPMessage) {
        domain = message.properties[BLIPProperties.errorDomainKey] ?? Self.blipDomain
        code = message.properties[BLIPProperties.errorCodeKey].flatMap { Int($0) } ?? 0
        self.message = String(decoding: message.body.readableBytesView, as: UTF8.self)
    }

    var properties: BLIPProperties {
        [BLIPProperties.errorDomainKey: domain, BLIPProperties.errorCodeKey: String(code)]
    }

    public var description: String { "\(domain) \(code)" + (message.isEmpty ? "" : " \(message)") }
}
