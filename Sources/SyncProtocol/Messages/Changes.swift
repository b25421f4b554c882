import BLIPProtocol
import DocumentValues
import NIOCore

/// The flags of a `changes` row.
public struct RowFlags: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let deleted = RowFlags(rawValue: 1)
    /// Access to the channel through which the document was seen is lost.
    public static let revoked = RowFlags(rawValue: 2)
    /// The document has left every channel that the user can see.
    public static let removed = RowFlags(rawValue: 4)

    /// Whether the client loses the document: revoked, or removed without being deleted. A deletion that leaves the
    /// channels is an ordinary row whose tombstone follows.
    public var isAccessLost: Bool { contains(.revoked) || (contains(.removed) && !contains(.deleted)) }
}

/// A document that the peer announces.
public struct ChangeRow: Sendable, Hashable {
    /// The JSON text of the sequence, kept to the byte.
    public var sequence: String
    public var documentID: String
    public var revision: String
    public var flags: RowFlags

    public init(sequence: String, documentID: String, revision: String, flags: RowFlags = []) {
        self.sequence = sequence
        self.documentID = documentID
        self.revision = revision
        self.flags = flags
    }
}

/// A batch of announced documents; without rows, it reports that there are no more for now.
public struct Changes: Sendable, Hashable {
    public var collection: Int?
    public var rows: [ChangeRow]

    public init(collection: Int?, rows: [ChangeRow]) {
        self.collection = collection
        self.rows = rows
    }

    /// Accepts `null`, `[]` and an empty body as the caught-up marker.
    /// - Parameter longestID: bytes; a row whose id has more makes the whole message invalid.
    public init(
        _ message: BLIPMessage, longestID: Int = SyncLimits.documentIDLength
    ) throws(BLIPErrorReply) {
        collection = message.properties.integer(MessageProperty.collection)
        rows = []
        guard message.body.readableBytes > 0 else { return }
        guard let body = try? JSONValue(parsing: message.bodyBytes) else {
            throw .badRequest("Invalid changes message")
        }
        if body.isNull { return }
        guard let elements = body.arrayValue else { throw .badRequest("Invalid changes message") }
        rows.reserveCapacity(elements.count)
        for element in elements { rows.append(try Self.row(element, longestID: longestID)) }
    }

    private static func row(_ element: JSONValue, longestID: Int) throws(BLIPErrorReply) -> ChangeRow {
        guard let cells = element.arrayValue, cells.count >= 3, let id = cells[1].stringValue,
            let revision = cells[2].stringValue, !id.isEmpty, id.utf8.count <= longestID,
            revision.utf8.contains(UInt8(ascii: "-")) || revision.utf8.contains(UInt8(ascii: "@"))
        else { throw BLIPErrorReply(domain: "LiteCore", code: 26, message: "Invalid row in changes message") }
        var flags: RowFlags = []
        if cells.count > 3 {
            switch cells[3] {
            case .number(let number): flags = RowFlags(rawValue: Int(number.int64 ?? 0))
            case .bool(let isDeleted): flags = isDeleted ? .deleted : []
            case .null, .string, .array, .object: break
            }
        }
        return ChangeRow(sequence: cells[0].description, documentID: id, revision: revision, flags: flags)
    }

    /// The request must not be overtaken: stock clients take the marker for the end of a one-shot pull, and ignore
    /// later rows.
    ///
    /// - Parameter version: version 2 writes `true` for a deletion and no other flag.
    public func request(for version: SyncSubprotocol) -> BLIPRequest {
        var properties = BLIPProperties.request(.changes, collection: collection)
        properties.append(BLIPProperties.contentTypeKey, value: "application/json")
        guard !rows.isEmpty else {
            return BLIPRequest(
                properties: properties, body: .bytes(ByteBuffer(string: "null")), isCompressed: true, isNoReply: true,
                isOrdered: true)
        }
        var body: [UInt8] = [UInt8(ascii: "[")]
        body.reserveCapacity(rows.count * 80)
        for (index, row) in rows.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            Self.append(row, version: version, to: &body)
        }
        body.append(UInt8(ascii: "]"))
        return BLIPRequest(properties: properties, body: .bytes(body), isCompressed: true, isOrdered: true)
    }

    private static func append(_ row: ChangeRow, version: SyncSubprotocol, to body: inout [UInt8]) {
        body.append(UInt8(ascii: "["))
        body.append(contentsOf: row.sequence.utf8)
        body.append(UInt8(ascii: ","))
        JSONWriter.appendString(row.documentID, to: &body)
        body.append(UInt8(ascii: ","))
        JSONWriter.appendString(row.revision, to: &body)
        switch version {
        case .version3 where !row.flags.isEmpty: body.append(contentsOf: ",\(row.flags.rawValue)".utf8)
        case .version2 where row.flags.contains(.deleted): body.append(contentsOf: ",true".utf8)
        case .version3, .version2: break
        }
        body.append(UInt8(ascii: "]"))
    }
}

/// Which announced revisions are wanted.
public struct ChangesReply: Sendable, Hashable {
    public enum Entry: Sendable, Hashable {
        case unwanted
        /// Send the revision. These ancestors are known; the history should end at the first one if possible.
        case wanted(ancestors: [String])
    }

    public var entries: [Entry]
    public var maxHistory: Int?
    public var understandsBlobs = false
    public var acceptsDeltas = false

    public init(entries: [Entry], maxHistory: Int? = SyncLimits.maxHistory, understandsBlobs: Bool = true) {
        self.entries = entries
        self.maxHistory = maxHistory
        self.understandsBlobs = understandsBlobs
    }

    /// Entries that are missing at the end are unwanted.
    public init?(_ message: BLIPMessage) {
        maxHistory = message.properties.integer(MessageProperty.maxHistory)
        understandsBlobs = message.properties.isTrue(MessageProperty.blobs)
        acceptsDeltas = message.properties.isTrue(MessageProperty.deltas)
        entries = []
        guard message.body.readableBytes > 0 else { return }
        guard let body = try? JSONValue(parsing: message.bodyBytes) else { return nil }
        if body.isNull { return }
        guard let elements = body.arrayValue else { return nil }
        entries = elements.map { element in
            guard let ancestors = element.arrayValue else { return .unwanted }
            return .wanted(ancestors: ancestors.compactMap(\.stringValue))
        }
    }

    /// The property order is the recorded client's (§4.7).
    public var properties: BLIPProperties {
        var properties = BLIPProperties()
        properties.append(MessageProperty.maxHistory, ifPresent: maxHistory.map { String($0) })
        properties.append(MessageProperty.blobs, ifPresent: understandsBlobs ? "true" : nil)
        properties.append(MessageProperty.deltas, ifPresent: acceptsDeltas ? "true" : nil)
        return properties
    }

    /// Unwanted entries at the end are left out, others are `0`.
    public var body: [UInt8] {
        let count = (entries.lastIndex { $0 != .unwanted } ?? -1) + 1
        return JSONValue.array(
            entries.prefix(count).map { entry in
                switch entry {
                case .unwanted: 0
                case .wanted(let ancestors):
                    .array(ancestors.prefix(SyncLimits.ancestorsPerEntry).map { .string($0) })
                }
            }
        ).bytes
    }
}
