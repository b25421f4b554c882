import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol
import TranscriptSupport

/// One recorded connection, sorted by who said what to whom.
struct RecordedConversation {
    /// A message and its index among all messages of the connection.
    struct Entry {
        let index: Int
        let direction: TranscriptDirection
        let message: TranscriptMessage
    }

    let version: SyncSubprotocol
    let entries: [Entry]
    private var replies: [TranscriptDirection: [UInt32: Entry]] = [:]

    /// `nil` for a connection that was refused.
    init?(_ transcript: Transcript, _ connection: Int) throws {
        let chosen = transcript.records(of: connection).compactMap { record -> SyncSubprotocol? in
            guard case .httpResponse(let response) = record.content else { return nil }
            let header = response.headers.first { $0.name.lowercased() == "sec-websocket-protocol" }
            return header.flatMap { SyncSubprotocol(rawValue: $0.value) }
        }
        guard let version = chosen.first else { return nil }
        self.version = version
        let frames = transcript.frames(of: connection)
        entries = zip(frames, try TranscriptBodies.read(frames)).enumerated().compactMap { index, pair in
            guard let message = pair.0.message, let body = pair.1 else { return nil }
            return Entry(index: index, direction: pair.0.direction, message: message.withBody(body))
        }
        for entry in entries where entry.message.type != .request {
            replies[entry.direction, default: [:]][entry.message.number] = entry
        }
    }

    /// Requests in one direction, in order.
    func requests(_ direction: TranscriptDirection, _ profile: String? = nil) -> [Entry] {
        entries.filter {
            $0.direction == direction && $0.message.type == .request
                && (profile == nil || $0.message.profile == profile)
        }
    }

    /// Whether a request of the client asks for an attachment.
    func isAttachment(_ number: UInt32) -> Bool {
        requests(.toServer, MessageProfile.getAttachment.rawValue).contains { $0.message.number == number }
    }

    /// What the gateway answered to a request of the client.
    func gatewaysReply(to number: UInt32) -> Entry? { replies[.toClient]?[number] }

    /// The database had no default collection and was asked for it.
    var lacksDefaultCollection: Bool {
        entries.contains { entry in
            if case .text(let text) = entry.message.body {
                text.contains("default collection is not configured")
            } else {
                false
            }
        }
    }
}

extension TranscriptMessage {
    /// The index that its `collection` property gives.
    var collection: Int { Int(self["collection"] ?? "") ?? 0 }

    var blipProperties: BLIPProperties {
        var all = BLIPProperties()
        for property in properties { all.append(property.key, value: property.value) }
        return all
    }

    var bodyBytes: [UInt8] { body.bytes ?? [] }

    var blipMessage: BLIPMessage {
        let kind: BLIPMessage.Kind =
            switch type {
            case .response: .response
            case .error: .error
            case .request, .acknowledgeRequest, .acknowledgeReply: .request
            }
        return BLIPMessage(
            kind: kind, number: number, properties: blipProperties, body: ByteBuffer(bytes: bodyBytes),
            isUrgent: isUrgent, isCompressed: isCompressed, isNoReply: isNoReply)
    }

    var failure: BLIPErrorReply? { type == .error ? BLIPErrorReply(blipMessage) : nil }

    /// The digests in the `_attachments` member of the body.
    var attachmentDigests: [String] {
        (json?["_attachments"]?.objectValue?.members ?? []).compactMap { $0.value["digest"]?.stringValue }
    }

    /// What two messages must share to mean the same.
    var meaning: MessageMeaning {
        MessageMeaning(
            properties: Dictionary(properties.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }),
            body: MessageMeaning.body(bodyBytes), isError: type == .error, isNoReply: isNoReply,
            isCompressed: isCompressed)
    }
}

/// A message without its spelling: the order of properties and of JSON members, and what only numbers it.
struct MessageMeaning: Hashable {
    enum Body: Hashable {
        case json(JSONValue)
        case bytes([UInt8])
    }

    var properties: [String: String]
    var body: Body
    var isError = false
    var isNoReply: Bool
    var isCompressed: Bool

    static func body(_ bytes: [UInt8]) -> Body {
        guard let json = try? JSONValue(parsing: bytes) else { return .bytes(bytes) }
        // We write a checkpoint's revision under both names.
        guard let elements = json.arrayValue, elements.contains(where: { $0["_rev"] != nil }) else {
            return .json(json)
        }
        return .json(.array(elements.map { $0.objectValue.map { .object($0.filter { $0 != "rev" }) } ?? $0 }))
    }

    init(
        properties: [String: String], body: Body, isError: Bool = false, isNoReply: Bool, isCompressed: Bool
    ) {
        self.properties = properties
        self.body = body
        self.isError = isError
        self.isNoReply = isNoReply
        self.isCompressed = isCompressed
    }

    init(_ request: BLIPRequest) {
        self.init(
            properties: Self.dictionary(request.properties), body: Self.body(request.body.inMemory),
            isNoReply: request.isNoReply, isCompressed: request.isCompressed)
    }

    static func dictionary(_ properties: BLIPProperties) -> [String: String] {
        Dictionary(properties.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension BLIPBody {
    var inMemory: [UInt8] {
        switch self {
        case .bytes(let buffer): Array(buffer.readableBytesView)
        case .source: []
        }
    }
}
