import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// A document as the gateway keeps it.
struct StoredDocument: Sendable {
    let number: Int64
    let id: String
    let sequence: UInt64
    let revision: RevisionID
    let isDeleted: Bool
    let channels: DocumentChannels
    let tree: RevisionTree
    /// Seconds since 1970.
    let expires: Int64?
    let grants: DocumentGrants
    /// The `_attachments` object: name → `{digest, length, revpos, content_type, stub}`.
    let attachments: JSONObject?
    /// JSON without reserved members.
    let body: [UInt8]

    private static let columns =
        "number, id, sequence, revision, is_deleted, channels, tree, expires, grants, attachments, body"

    private init(_ row: RawStatement) throws {
        number = row.int64(0)
        id = row.text(1)
        sequence = row.uint64(2)
        revision = try Self.revision(row.text(3))
        isDeleted = row.bool(4)
        channels = try DocumentChannels(text: row.text(5))
        tree = try RevisionTree(stored: row.text(6))
        expires = row.isNull(7) ? nil : row.int64(7)
        grants = try row.textOrNil(8).map { try DocumentGrants(text: $0) } ?? DocumentGrants()
        attachments = try row.textOrNil(9).map { try JSONObject(parsing: Array($0.utf8)) }
        body = row.bytes(10)
    }

    static func revision(_ text: String) throws -> RevisionID {
        guard let revision = RevisionID(text) else { throw GatewayError(500, "Damaged revision in storage") }
        return revision
    }

    static func fetch(_ id: String, in collection: Int64, _ db: Database) throws -> StoredDocument? {
        let statement = try RawStatement(
            "SELECT \(columns) FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, collection)
        statement.bind(2, id)
        return try statement.first { try StoredDocument($0) }
    }

    static func fetch(number: Int64, _ db: Database) throws -> StoredDocument? {
        let statement = try RawStatement("SELECT \(columns) FROM documents WHERE number = ?", db)
        statement.bind(1, number)
        return try statement.first { try StoredDocument($0) }
    }

    /// Documents in the order in which they came.
    static func fetch(
        in collection: Int64, after number: Int64, limit: Int, _ db: Database
    ) throws -> [StoredDocument] {
        let statement = try RawStatement(
            "SELECT \(columns) FROM documents WHERE number > ? AND collection = ? ORDER BY number LIMIT ?", db)
        statement.bind(1, number)
        statement.bind(2, collection)
        statement.bind(3, Int64(limit))
        var documents: [StoredDocument] = []
        try statement.forEachRow { documents.append(try StoredDocument($0)) }
        return documents
    }

    /// Documents in the order of their ids, as many as `body` wants: it returns false to stop.
    static func forEach(
        in collection: Int64, from start: String?, through end: String?, _ db: Database,
        _ body: (StoredDocument) throws -> Bool
    ) throws {
        let statement = try RawStatement(
            """
            SELECT \(columns) FROM documents
            WHERE collection = ? AND id >= ? AND (?3 IS NULL OR id <= ?3) ORDER BY id
            """, db)
        defer { statement.reset() }
        statement.bind(1, collection)
        statement.bind(2, start ?? "")
        statement.bind(3, end)
        while try statement.step() {
            guard try body(StoredDocument(statement)) else { return }
        }
    }

    /// The channels of one document, without the rest.
    static func channels(number: Int64, _ db: Database) throws -> DocumentChannels? {
        let statement = try RawStatement("SELECT channels FROM documents WHERE number = ?", db)
        statement.bind(1, number)
        return try statement.first { try DocumentChannels(text: $0.text(0)) }
    }
}
