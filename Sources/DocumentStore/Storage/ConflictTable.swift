import DocumentValues
import GRDB
import SQLiteStorage

/// A remote's revision kept beside the local one it conflicts with.
struct StoredConflict: Sendable {
    let documentID: String
    let remote: Int64
    let revision: RevisionID
    let history: RevisionHistory
    let isDeleted: Bool
    let body: [UInt8]

    var ancestry: Ancestry { Ancestry(revision: revision, history: history) }
}

/// The conflicts of one collection.
struct ConflictTable {
    let db: GRDB.Database
    let collection: Int64

    private static let columns = "document_id, remote, revision, history, is_deleted, body"

    func find(_ documentID: String, remote: Int64) throws -> StoredConflict? {
        let query = try RawStatement(
            """
            SELECT \(Self.columns) FROM conflicts WHERE collection = ?1 AND document_id = ?2 AND remote = ?3
            """, db)
        query.bind(1, to: collection)
        query.bind(2, to: documentID)
        query.bind(3, to: remote)
        return try query.first(Self.read)
    }

    /// Of any remote.
    func first(_ documentID: String) throws -> StoredConflict? {
        let query = try RawStatement(
            """
            SELECT \(Self.columns) FROM conflicts WHERE collection = ?1 AND document_id = ?2 ORDER BY remote LIMIT 1
            """, db)
        query.bind(1, to: collection)
        query.bind(2, to: documentID)
        return try query.first(Self.read)
    }

    func all(remote: Int64) throws -> [StoredConflict] {
        let query = try RawStatement(
            "SELECT \(Self.columns) FROM conflicts WHERE collection = ?1 AND remote = ?2 ORDER BY document_id", db)
        query.bind(1, to: collection)
        query.bind(2, to: remote)
        return try query.all(Self.read)
    }

    func documentIDs(remote: Int64) throws -> [String] {
        let query = try RawStatement(
            "SELECT document_id FROM conflicts WHERE collection = ?1 AND remote = ?2 ORDER BY document_id", db)
        query.bind(1, to: collection)
        query.bind(2, to: remote)
        return try query.all { $0.text(0) }
    }

    /// Of all remotes.
    func bodies(of documentID: String) throws -> [[UInt8]] {
        let query = try RawStatement("SELECT body FROM conflicts WHERE collection = ?1 AND document_id = ?2", db)
        query.bind(1, to: collection)
        query.bind(2, to: documentID)
        return try query.all { $0.bytes(0) }
    }

    func isAny(_ documentID: String) throws -> Bool {
        let query = try RawStatement(
            "SELECT 1 FROM conflicts WHERE collection = ?1 AND document_id = ?2 LIMIT 1", db)
        query.bind(1, to: collection)
        query.bind(2, to: documentID)
        return try query.first { _ in true } ?? false
    }

    func put(_ conflict: StoredConflict, naming digests: Set<BlobDigest>) throws {
        let insert = try RawStatement(
            """
            INSERT OR REPLACE INTO conflicts (collection, document_id, remote, revision, history, is_deleted, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """, db)
        insert.bind(1, to: collection)
        insert.bind(2, to: conflict.documentID)
        insert.bind(3, to: conflict.remote)
        insert.bind(4, to: conflict.revision.description)
        insert.bind(5, to: conflict.history.description)
        insert.bind(6, to: conflict.isDeleted)
        insert.bindText(7, to: conflict.body)
        try insert.run()
        try BlobReferences(db: db).add(
            digests, collection: collection, owner: .conflict, item: conflict.documentID)
    }

    func remove(_ documentID: String, remote: Int64) throws {
        let delete = try RawStatement(
            "DELETE FROM conflicts WHERE collection = ?1 AND document_id = ?2 AND remote = ?3", db)
        delete.bind(1, to: collection)
        delete.bind(2, to: documentID)
        delete.bind(3, to: remote)
        try delete.run()
    }

    func removeAll(of documentID: String) throws {
        let delete = try RawStatement("DELETE FROM conflicts WHERE collection = ?1 AND document_id = ?2", db)
        delete.bind(1, to: collection)
        delete.bind(2, to: documentID)
        try delete.run()
    }

    private static func read(_ row: RawStatement) throws -> StoredConflict {
        guard let history = RevisionHistory(parsing: row.text(3)) else {
            throw StoreError(
                .corruptData, message: "A stored history cannot be read.", context: ["document": row.text(0)])
        }
        return StoredConflict(
            documentID: row.text(0), remote: row.int64(1), revision: try row.revision(2), history: history,
            isDeleted: row.int64(4) != 0, body: row.bytes(5))
    }
}
