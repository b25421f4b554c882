import DocumentValues
import GRDB
import SQLiteStorage

/// Reads a collection's table. With the `+` before `flags` SQLite does not read an index of META().deleted, but goes on
/// with the table's own order.
struct CollectionReader {
    let db: GRDB.Database
    let record: CollectionRecord

    func find(_ id: String) throws -> CollectionDocument? {
        let query = try RawStatement(DocumentRowCoding.select(record.id, where: "id = ?1"), db)
        query.bind(1, to: id)
        return try query.first(DocumentRowCoding.read)
    }

    func isEmpty() throws -> Bool {
        try RawStatement("SELECT 1 FROM documents_\(record.id) LIMIT 1", db).first { _ in true } == nil
    }

    func isKnownToRemotes() throws -> Bool {
        try RawStatement("SELECT 1 FROM documents_\(record.id) WHERE remotes <> '' LIMIT 1", db).first { _ in true }
            != nil
    }

    /// Ids of live documents in the order of their bytes, after `id`.
    func identifiers(after id: String, limit: Int) throws -> [String] {
        let query = try RawStatement(
            """
            SELECT id FROM documents_\(record.id)
            WHERE id > ?1 AND +flags & 1 = 0 AND (expiration IS NULL OR expiration > ?3) ORDER BY id LIMIT ?2
            """, db)
        query.bind(1, to: id)
        query.bind(2, to: Int64(limit))
        query.bind(3, to: StoreInstant.now.seconds)
        return try query.all { $0.text(0) }
    }

    /// Ids of tombstones.
    func tombstones() throws -> [String] {
        try RawStatement("SELECT id FROM documents_\(record.id) WHERE flags & 1 = 1", db).all { $0.text(0) }
    }

    /// Ids of documents of which a remote has any revision.
    func idsKnownToRemotes() throws -> [String] {
        try RawStatement("SELECT id FROM documents_\(record.id) WHERE remotes <> ''", db).all { $0.text(0) }
    }

    /// Documents that are not deleted, also those past their time, in the order of their ids' bytes, after `id`.
    func documents(after id: String, limit: Int) throws -> [CollectionDocument] {
        let query = try RawStatement(
            DocumentRowCoding.select(record.id, where: "id > ?1 AND +flags & 1 = 0 ORDER BY id LIMIT ?2"), db)
        query.bind(1, to: id)
        query.bind(2, to: Int64(limit))
        return try query.all(DocumentRowCoding.read)
    }

    /// Ids and bodies of documents that are neither deleted nor past their time, in the order of the ids' bytes, after `id`.
    func bodies(after id: String, limit: Int) throws -> [(id: String, json: [UInt8])] {
        let query = try RawStatement(
            """
            SELECT id, body FROM documents_\(record.id)
            WHERE id > ?1 AND +flags & 1 = 0 AND (expiration IS NULL OR expiration > ?3) ORDER BY id LIMIT ?2
            """, db)
        query.bind(1, to: id)
        query.bind(2, to: Int64(limit))
        query.bind(3, to: StoreInstant.now.seconds)
        return try query.all { ($0.text(0), $0.bytes(1)) }
    }

    /// The same for all, in the order of their changes, which is that of the table.
    func forEachBody(_ body: (RawStatement) throws -> Void) throws {
        let query = try RawStatement(
            """
            SELECT id, body FROM documents_\(record.id)
            WHERE +flags & 1 = 0 AND (expiration IS NULL OR expiration > ?1) ORDER BY sequence
            """, db)
        query.bind(1, to: StoreInstant.now.seconds)
        try query.forEachRow(body)
    }

    /// Documents and tombstones in the order of their changes, after the change `sequence`.
    func documents(changedAfter sequence: UInt64, limit: Int) throws -> [CollectionDocument] {
        let query = try RawStatement(
            DocumentRowCoding.select(record.id, where: "sequence > ?1 ORDER BY sequence LIMIT ?2"), db)
        query.bind(1, to: Int64(clamping: sequence))
        query.bind(2, to: Int64(limit))
        return try query.all(DocumentRowCoding.read)
    }

    /// Sequence, id and body of live documents that name blobs, the newest change first.
    func documentsWithBlobs(before sequence: UInt64?) throws -> RawStatement {
        let rows = try RawStatement(
            """
            SELECT sequence, id, body FROM documents_\(record.id)
            WHERE sequence < ?1 AND +flags & 3 = 2 AND (expiration IS NULL OR expiration > ?2) ORDER BY sequence DESC
            """, db)
        rows.bind(1, to: sequence.map { Int64(clamping: $0) } ?? .max)
        rows.bind(2, to: StoreInstant.now.seconds)
        return rows
    }

    func base(of id: String) throws -> (revision: RevisionID, body: [UInt8])? {
        let query = try RawStatement(
            "SELECT revision, body FROM base_bodies WHERE collection = ?1 AND document_id = ?2", db)
        query.bind(1, to: record.id)
        query.bind(2, to: id)
        return try query.first { (try $0.revision(0), $0.bytes(1)) }
    }
}
