import DocumentValues

/// One BLIP frame: the payload of one binary WebSocket message.
public struct TranscriptFrame: Sendable {
    public let connection: Int
    public let direction: TranscriptDirection
    /// As it was on the wire, without the WebSocket mask.
    public let bytes: [UInt8]
    public let number: UInt32
    public let type: TranscriptMessageType
    /// The whole flags byte, type included.
    public let flags: UInt8
    public let isMoreComing: Bool
    /// After inflating; 0 for acknowledgements.
    public let payloadCount: Int
    public let checksum: UInt32?
    public let acknowledgedBytes: Int?
    /// The whole message, on its last frame.
    public let message: TranscriptMessage?

    init(_ line: JSONObject) throws {
        connection = try line.integer("conn")
        direction = try line.direction()
        guard let bytes = Base64.decode(try line.string("b64")) else { throw TranscriptError("bad base64") }
        self.bytes = bytes
        let blip = try line.object("blip")
        number = UInt32(try blip.integer("number"))
        type = try TranscriptMessageType(blip)
        flags = UInt8(try blip.integer("flags"))
        isMoreComing = blip.flag("more")
        payloadCount = Int(blip["payloadBytes"]?.integerValue ?? 0)
        checksum = blip["crc"]?.stringValue.flatMap { UInt32($0, radix: 16) }
        acknowledgedBytes = blip["ackBytes"]?.integerValue.map(Int.init)
        let flags = flags
        message = try line["message"]?.objectValue.map { try TranscriptMessage($0, flags: flags) }
    }
}

public enum TranscriptMessageType: String, Sendable, Hashable {
    case request = "MSG"
    case response = "RPY"
    case error = "ERR"
    case acknowledgeRequest = "ACKMSG"
    case acknowledgeReply = "ACKRPY"

    fileprivate init(_ object: JSONObject) throws {
        let text = try object.string("type")
        guard let type = TranscriptMessageType(rawValue: text) else {
            throw TranscriptError("unknown message type '\(text)'")
        }
        self = type
    }
}

/// One whole BLIP message.
public struct TranscriptMessage: Sendable {
    public enum Body: Sendable {
        case none
        /// `text` is the exact text, if it is not the compact form of the JSON.
        case json(JSONValue, text: String?)
        case text(String)
        case bytes([UInt8])
        /// Over 4 KB: only the SHA-256, in hexadecimal.
        case digest(sha256: String)
    }

    public let type: TranscriptMessageType
    public let number: UInt32
    /// The flags byte of the last frame.
    public let flags: UInt8
    public let frameCount: Int
    /// In the order in which they were sent.
    public let properties: [(key: String, value: String)]
    public let bodyCount: Int
    public private(set) var body: Body

    init(_ object: JSONObject, flags: UInt8) throws {
        type = try TranscriptMessageType(object)
        number = UInt32(try object.integer("number"))
        self.flags = flags
        frameCount = Int(object["frames"]?.integerValue ?? 1)
        properties = try object.object("properties").members.map { ($0.key, $0.value.stringValue ?? "") }
        bodyCount = try object.integer("bodyBytes")
        body = try Body(object)
    }

    public subscript(property: String) -> String? { properties.first { $0.key == property }?.value }

    /// The same message with its body: the recording has only a digest of a long one.
    public func withBody(_ bytes: [UInt8]) -> TranscriptMessage {
        guard case .digest = body else { return self }
        var whole = self
        whole.body =
            (try? JSONValue(parsing: bytes)).map { .json($0, text: String(decoding: bytes, as: UTF8.self)) }
            ?? .bytes(bytes)
        return whole
    }

    public var profile: String? { self["Profile"] }
    public var isUrgent: Bool { flags & 0x10 != 0 }
    public var isCompressed: Bool { flags & 0x08 != 0 }
    public var isNoReply: Bool { flags & 0x20 != 0 }

    public var json: JSONValue? {
        if case .json(let value, _) = body { value } else { nil }
    }
}

extension TranscriptMessage.Body {
    fileprivate init(_ object: JSONObject) throws {
        if let json = object["bodyJSON"] {
            self = .json(json, text: object["bodyText"]?.stringValue)
        } else if let text = object["bodyText"]?.stringValue {
            self = .text(text)
        } else if let base64 = object["bodyBase64"]?.stringValue {
            guard let bytes = Base64.decode(base64) else { throw TranscriptError("bad base64") }
            self = .bytes(bytes)
        } else if let digest = object["bodySHA256"]?.stringValue {
            self = .digest(sha256: digest)
        } else {
            self = .none
        }
    }

    /// The bytes, unless only their digest was recorded.
    public var bytes: [UInt8]? {
        switch self {
        case .none: []
        case .json(let value, let text): text.map { Array($0.utf8) } ?? value.bytes
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .digest: nil
        }
    }
}
