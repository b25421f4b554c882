import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// What the row of a document becomes; its id, its collection and its number stay.
struct DocumentRow {
    let sequence: UInt64
    let revision: RevisionID
    let isDeleted: Bool
    let channels: DocumentChannels
    let tree: RevisionTree
    /// Seconds since 1970.
    let expires: Int64?
    let grants: DocumentGrants
    let attachments: JSONObject?
    let body: [UInt8]
}

/// Writes the rows of documents.
struct DocumentWrites {
    fileprivate let db: Database

    /// - Returns: the new row's number.
    func insert(_ row: DocumentRow, id: String, in collection: Int64) throws -> Int64 {
        let statement = try RawStatement(
            """
            INSERT INTO documents
            (sequence, revision, is_deleted, channels, tree, expires, grants, attachments, body, collection, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """, db)
        statement.bind(row)
        statement.bind(10, to: collection)
        statement.bind(11, to: id)
        try statement.run()
        return db.lastInsertedRowID
    }

    func replace(number: Int64, with row: DocumentRow) throws {
        let statement = try RawStatement(
            """
            UPDATE documents SET sequence = ?1, revision = ?2, is_deleted = ?3, channels = ?4, tree = ?5,
            expires = ?6, grants = ?7, attachments = ?8, body = ?9 WHERE number = ?10
            """, db)
        statement.bind(row)
        statement.bind(10, to: number)
        try statement.run()
    }

    /// Who may see the document, and until when; its revision stays.
    func replaceAccess(number: Int64, with row: DocumentRow) throws {
        let statement = try RawStatement(
            "UPDATE documents SET sequence = ?, channels = ?, grants = ?, expires = ? WHERE number = ?", db)
        statement.bind(1, to: row.sequence)
        statement.bind(2, to: row.channels.text)
        statement.bind(3, to: row.grantsText)
        statement.bind(4, to: row.expires)
        statement.bind(5, to: number)
        try statement.run()
    }

    /// Deletes the row alone.
    func delete(number: Int64) throws {
        let statement = try RawStatement("DELETE FROM documents WHERE number = ?", db)
        statement.bind(1, to: number)
        try statement.run()
    }
}

extension WriteTransaction {
    var documents: DocumentWrites { DocumentWrites(db: db) }
}

extension DocumentRow {
    fileprivate var grantsText: String? { grants.isEmpty ? nil : grants.text }
}

extension RawStatement {
    fileprivate func bind(_ row: DocumentRow) {
        bind(1, to: row.sequence)
        bind(2, to: row.revision.description)
        bind(3, to: row.isDeleted)
        bind(4, to: row.channels.text)
        bind(5, to: row.tree.text)
        bind(6, to: row.expires)
        bind(7, to: row.grantsText)
        bind(8, to: row.attachments?.description)
        bindBlob(9, to: row.body)
    }
}
