import DocumentValues
import GRDB
import SQLiteStorage

/// The kinds of owners of a blob.
enum BlobOwner: Int64, Sendable {
    case document = 0
    case conflict = 1
    case quarantine = 2
}

/// The references to blobs, with their owners. A document keeps the references of its former revisions until the
/// database is compacted, so that a purge takes those blobs from the disk too.
struct BlobReferences {
    let db: GRDB.Database

    func add(_ digests: Set<BlobDigest>, collection: Int64, owner: BlobOwner, item: String) throws {
        guard !digests.isEmpty else { return }
        let insert = try RawStatement(
            "INSERT OR IGNORE INTO blob_references (digest, collection, owner, item) VALUES (?1, ?2, ?3, ?4)", db)
        for digest in digests {
            insert.bind(1, to: digest.text)
            insert.bind(2, to: collection)
            insert.bind(3, to: owner.rawValue)
            insert.bind(4, to: item)
            try insert.run()
        }
    }

    /// Returns the blobs to which it referred.
    func remove(collection: Int64, owner: BlobOwner, item: String) throws -> Set<BlobDigest> {
        let digests = try digests(collection: collection, owner: owner, item: item)
        guard !digests.isEmpty else { return [] }
        let delete = try RawStatement(
            "DELETE FROM blob_references WHERE collection = ?1 AND owner = ?2 AND item = ?3", db)
        bind(delete, collection: collection, owner: owner, item: item)
        try delete.run()
        return digests
    }

    func digests(collection: Int64, owner: BlobOwner, item: String) throws -> Set<BlobDigest> {
        let query = try RawStatement(
            "SELECT digest FROM blob_references WHERE collection = ?1 AND owner = ?2 AND item = ?3", db)
        bind(query, collection: collection, owner: owner, item: item)
        return Set(try query.all { BlobDigest($0.text(0)) }.compactMap { $0 })
    }

    func isReferenced(_ digest: BlobDigest) throws -> Bool {
        let query = try RawStatement("SELECT 1 FROM blob_references WHERE digest = ?1 LIMIT 1", db)
        query.bind(1, to: digest.text)
        return try query.first { _ in true } ?? false
    }

    /// The digests of blobs as they are stored, in the order of their bytes, after `name`.
    func names(after name: String, limit: Int) throws -> [String] {
        let query = try RawStatement(
            "SELECT DISTINCT digest FROM blob_references WHERE digest > ?1 ORDER BY digest LIMIT ?2", db)
        query.bind(1, to: name)
        query.bind(2, to: Int64(limit))
        return try query.all { $0.text(0) }
    }

    /// The documents that refer to a blob; `item` is a document's id, or the number of a quarantined one.
    func owners(of digest: BlobDigest) throws -> [(collection: Int64, owner: BlobOwner, item: String)] {
        let query = try RawStatement("SELECT collection, owner, item FROM blob_references WHERE digest = ?1", db)
        query.bind(1, to: digest.text)
        return try query.all { row -> (collection: Int64, owner: BlobOwner, item: String)? in
            BlobOwner(rawValue: row.int64(1)).map { (collection: row.int64(0), owner: $0, item: row.text(2)) }
        }.compactMap { $0 }
    }

    func all() throws -> Set<BlobDigest> {
        let query = try RawStatement("SELECT DISTINCT digest FROM blob_references", db)
        return Set(try query.all { BlobDigest($0.text(0)) }.compactMap { $0 })
    }

    private func bind(_ statement: RawStatement, collection: Int64, owner: BlobOwner, item: String) {
        statement.bind(1, to: collection)
        statement.bind(2, to: owner.rawValue)
        statement.bind(3, to: item)
    }
}
