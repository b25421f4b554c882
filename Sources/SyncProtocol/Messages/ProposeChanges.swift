import BLIPProtocol
import DocumentValues
import NIOCore

/// A local revision that the client would like to send.
public struct ProposedRow: Sendable, Hashable {
    public var documentID: String
    public var revision: String
    /// The gateway's current revision, as far as the client knows; empty if it knows none.
    public var serverRevision: String
    public var bodySize: Int

    public init(documentID: String, revision: String, serverRevision: String = "", bodySize: Int = 0) {
        self.documentID = documentID
        self.revision = revision
        self.serverRevision = serverRevision
        self.bodySize = bodySize
    }
}

/// Announces a push. Without rows it reports that there is nothing to push, and is not answered.
public struct ProposeChanges: Sendable, Hashable {
    public var collection: Int?
    public var rows: [ProposedRow]
    public var conflictIncludesRev = true

    public init(collection: Int?, rows: [ProposedRow]) {
        self.collection = collection
        self.rows = rows
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        collection = message.properties.integer(MessageProperty.collection)
        conflictIncludesRev = message.properties.isTrue(MessageProperty.conflictIncludesRev)
        rows = []
        guard message.body.readableBytes > 0 else { return }
        guard let body = try? JSONValue(parsing: message.bodyBytes), body.isNull || body.arrayValue != nil else {
            throw .badRequest("Invalid proposeChanges message")
        }
        for element in body.arrayValue ?? [] {
            guard let cells = element.arrayValue, cells.count >= 2, let id = cells[0].stringValue,
                let revision = cells[1].stringValue, !id.isEmpty
            else { throw .badRequest("Invalid proposeChanges message") }
            rows.append(
                ProposedRow(
                    documentID: id, revision: revision, serverRevision: element[2]?.stringValue ?? "",
                    bodySize: Int(element[3]?.integerValue ?? 0)))
        }
    }

    /// Four cells a row, as the recorded client always writes them (§4.8).
    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.proposeChanges, collection: collection)
        properties.append(MessageProperty.conflictIncludesRev, value: "true")
        var body: [UInt8] = [UInt8(ascii: "[")]
        for (index, row) in rows.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(UInt8(ascii: "["))
            for text in [row.documentID, row.revision, row.serverRevision] {
                JSONWriter.appendString(text, to: &body)
                body.append(UInt8(ascii: ","))
            }
            body.append(contentsOf: String(row.bodySize).utf8)
            body.append(UInt8(ascii: "]"))
        }
        body.append(UInt8(ascii: "]"))
        return BLIPRequest(
            properties: properties, body: .bytes(body), isUrgent: true, isCompressed: !rows.isEmpty,
            isNoReply: rows.isEmpty)
    }
}

/// The gateway's answer for each proposed revision.
public struct ProposeChangesReply: Sendable, Hashable {
    public enum Entry: Sendable, Hashable {
        case send
        /// The gateway has this revision.
        case known
        /// The gateway's current revision is another one, which is named if the client requested that.
        case conflict(serverRevision: String?)
        /// Refused with an HTTP status.
        case rejected(Int)
    }

    public var entries: [Entry]
    public var acceptsDeltas = false
    public var maxHistory: Int?

    public init(entries: [Entry]) { self.entries = entries }

    /// Entries that are missing at the end mean `send`.
    public init?(_ message: BLIPMessage) {
        acceptsDeltas = message.properties.isTrue(MessageProperty.deltas)
        maxHistory = message.properties.integer(MessageProperty.maxHistory)
        entries = []
        guard message.body.readableBytes > 0 else { return }
        guard let body = try? JSONValue(parsing: message.bodyBytes) else { return nil }
        if body.isNull { return }
        guard let elements = body.arrayValue else { return nil }
        entries = elements.map(Self.entry)
    }

    private static func entry(_ element: JSONValue) -> Entry {
        let status = Int(element.integerValue ?? element["status"]?.integerValue ?? 0)
        switch status {
        case 0: return .send
        case 304: return .known
        case 409: return .conflict(serverRevision: element["rev"]?.stringValue)
        default: return .rejected(status)
        }
    }

    public var properties: BLIPProperties { acceptsDeltas ? [MessageProperty.deltas: "true"] : [:] }

    public var body: [UInt8] {
        let count = (entries.lastIndex { $0 != .send } ?? -1) + 1
        return JSONValue.array(
            entries.prefix(count).map { entry in
                switch entry {
                case .send: return 0
                case .known: return 304
                case .conflict(let revision?): return ["status": 409, "rev": .string(revision)]
                case .conflict(nil): return 409
                case .rejected(let status): return .int(status)
                }
            }
        ).bytes
    }
}
