import DocumentValues
import GRDB
import SQLiteStorage

/// Leaves that are not current, read from a connection.
struct SQLiteBranchRows: BranchRows {
    let db: Database

    private static let columns = "revision, sequence, channels, expires, attachments, body"

    func all(of document: StoredDocument) throws -> [StoredRevision] {
        guard !document.tree.isLine else { return [] }
        let statement = try RawStatement(
            "SELECT \(Self.columns) FROM branches WHERE document = ? ORDER BY number", db)
        statement.bind(1, to: document.number)
        return try statement.all { try revision($0, tree: document.tree) }
    }

    func find(_ wanted: RevisionID, of document: StoredDocument) throws -> StoredRevision? {
        let statement = try RawStatement(
            "SELECT \(Self.columns) FROM branches WHERE document = ? AND revision = ?", db)
        statement.bind(1, to: document.number)
        statement.bind(2, to: wanted.description)
        return try statement.first { try revision($0, tree: document.tree) }
    }

    private func revision(_ row: RawStatement, tree: RevisionTree) throws -> StoredRevision {
        let id = try RevisionID(stored: row.text(0))
        return StoredRevision(
            revision: id, isDeleted: tree.isDeleted(id),
            channels: try JSONValue(parsing: Array(row.text(2).utf8)).names, sequence: row.uint64(1),
            expires: row.isNull(3) ? nil : row.int64(3),
            attachments: try row.textOrNil(4).map { try StoredAttachments(stored: $0) }, body: row.bytes(5))
    }
}

/// Writes them in the transaction of a connection.
struct SQLiteBranchWrites: BranchWrites {
    let db: Database

    func insert(_ branch: StoredRevision, of document: Int64) throws {
        let statement = try RawStatement(
            """
            INSERT INTO branches (document, revision, sequence, channels, expires, attachments, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: branch.revision.description)
        statement.bind(3, to: branch.sequence)
        statement.bind(4, to: JSONValue.list(branch.channels).description)
        statement.bind(5, to: branch.expires)
        statement.bind(6, to: branch.attachments?.text)
        statement.bindBlob(7, to: branch.body)
        try statement.run()
    }

    func setChannels(_ channels: Set<Name>, of revision: RevisionID, document: Int64) throws {
        let statement = try RawStatement("UPDATE branches SET channels = ? WHERE document = ? AND revision = ?", db)
        statement.bind(1, to: JSONValue.list(channels).description)
        statement.bind(2, to: document)
        statement.bind(3, to: revision.description)
        try statement.run()
    }

    func delete(_ revision: RevisionID, of document: Int64) throws {
        let statement = try RawStatement("DELETE FROM branches WHERE document = ? AND revision = ?", db)
        statement.bind(1, to: document)
        statement.bind(2, to: revision.description)
        try statement.run()
    }

    func deleteAll(document: Int64) throws {
        let statement = try RawStatement("DELETE FROM branches WHERE document = ?", db)
        statement.bind(1, to: document)
        try statement.run()
    }
}
