import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage
import SyncFunction

/// A revision with its content: the current one, a leaf beside it, or one that was replaced.
struct StoredRevision: Sendable {
    let revision: RevisionID
    let isDeleted: Bool
    let channels: Set<Name>
    /// Of the change that brought it.
    let sequence: UInt64
    /// Seconds since 1970.
    let expires: Int64?
    /// The `_attachments` object.
    let attachments: JSONObject?
    /// JSON without reserved members.
    let body: [UInt8]

    /// Whether all there is to say of it is in the tree.
    var isEmptyTombstone: Bool { isDeleted && attachments == nil && body == Self.emptyBody }

    /// For the sync function that looks at it again.
    var meta: SyncFunctionMeta { SyncFunctionMeta(expires: expires, attachments: attachments) }

    var attachmentDigests: Set<Name> { attachments?.attachmentDigests ?? [] }

    /// What a tombstone that nobody wrote anything into has.
    static func emptyTombstone(_ revision: RevisionID, at sequence: UInt64) -> StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: true, channels: [], sequence: sequence, expires: nil, attachments: nil,
            body: emptyBody)
    }

    static let emptyBody = Array("{}".utf8)
}

extension StoredDocument {
    /// The current revision by itself.
    var current: StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: isDeleted, channels: Set(channels.current.keys), sequence: sequence,
            expires: expires, attachments: attachments, body: body)
    }

    /// The content of the leaves beside the current revision, but for tombstones without any. Nothing is read for a
    /// document without branches.
    func branches(_ db: Database) throws -> [StoredRevision] {
        tree.isLine ? [] : try Branches.all(of: self, db)
    }
}

/// The content of leaves that are not current, in documents that are in conflict.
enum Branches {
    private static let columns = "revision, sequence, channels, expires, attachments, body"

    static func all(of document: StoredDocument, _ db: Database) throws -> [StoredRevision] {
        let statement = try RawStatement("SELECT \(columns) FROM branches WHERE document = ? ORDER BY number", db)
        statement.bind(1, document.number)
        var branches: [StoredRevision] = []
        try statement.forEachRow { branches.append(try revision($0, document.tree)) }
        return branches
    }

    static func fetch(_ wanted: RevisionID, of document: StoredDocument, _ db: Database) throws -> StoredRevision? {
        let statement = try RawStatement("SELECT \(columns) FROM branches WHERE document = ? AND revision = ?", db)
        statement.bind(1, document.number)
        statement.bind(2, wanted.description)
        return try statement.first { try revision($0, document.tree) }
    }

    private static func revision(_ row: RawStatement, _ tree: RevisionTree) throws -> StoredRevision {
        let id = try StoredDocument.revision(row.text(0))
        let channels = try JSONValue(parsing: Array(row.text(2).utf8)).names
        return StoredRevision(
            revision: id, isDeleted: tree.isDeleted(id), channels: channels,
            sequence: row.uint64(1), expires: row.isNull(3) ? nil : row.int64(3),
            attachments: try row.textOrNil(4).map { try JSONObject(parsing: Array($0.utf8)) }, body: row.bytes(5))
    }

    static func insert(_ branch: StoredRevision, of document: Int64, _ db: Database) throws {
        let statement = try RawStatement(
            """
            INSERT INTO branches (document, revision, sequence, channels, expires, attachments, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, db)
        statement.bind(1, document)
        statement.bind(2, branch.revision.description)
        statement.bind(3, branch.sequence)
        statement.bind(4, text(branch.channels))
        statement.bind(5, branch.expires)
        statement.bind(6, branch.attachments?.description)
        statement.bindBlob(7, branch.body)
        try statement.run()
    }

    static func setChannels(
        _ channels: Set<Name>, of revision: RevisionID, document: Int64, _ db: Database
    ) throws {
        let statement = try RawStatement("UPDATE branches SET channels = ? WHERE document = ? AND revision = ?", db)
        statement.bind(1, text(channels))
        statement.bind(2, document)
        statement.bind(3, revision.description)
        try statement.run()
    }

    static func delete(_ revision: RevisionID, of document: Int64, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM branches WHERE document = ? AND revision = ?", db)
        statement.bind(1, document)
        statement.bind(2, revision.description)
        try statement.run()
    }

    static func deleteAll(document: Int64, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM branches WHERE document = ?", db)
        statement.bind(1, document)
        try statement.run()
    }

    private static func text(_ channels: Set<Name>) -> String {
        JSONValue.list(channels).description
    }
}
