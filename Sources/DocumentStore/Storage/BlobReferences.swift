import DocumentValues
import GRDB
import SQLiteStorage

/// What can refer to a blob.
enum BlobOwner: Int64, Sendable {
    case document = 0
    case conflict = 1
    case quarantine = 2
}

/// Which blobs are referred to from where. A document keeps the references of its former revisions until the database
/// is compacted, so that a purge takes those blobs from the disk too.
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

    /// Returns what was referred to.
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

    /// Who refers to a blob; `item` is a document's id, or the number of a quarantined one.
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

/// The blobs that a body refers to, in place or in `_attachments`.
func blobDigests(in body: [UInt8]) throws -> Set<BlobDigest> { Set(try namedBlobs(in: body).map(\.digest)) }

/// What a document says of its blobs and attachments; one that is named twice is listed twice.
func namedBlobs(in body: [UInt8]) throws -> [BlobMetadata] {
    guard mayReferToBlobs(body) else { return [] }
    let value = try JSONValue(parsing: body)
    let attachments = value["_attachments"]?.objectValue?.members ?? []
    return value.blobReferences().map(\.metadata) + attachments.compactMap { BlobMetadata(attachment: $0.value) }
}

/// A search for `sha1-`, without which there is no digest; far cheaper than reading the JSON. It looks at every fifth
/// byte and goes back only where that byte is one of the marker's (Boyer, Moore and Horspool).
private func mayReferToBlobs(_ body: [UInt8]) -> Bool {
    body.withUnsafeBufferPointer { bytes in
        var index = 4
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "-"):
                if bytes[index - 1] == UInt8(ascii: "1"), bytes[index - 2] == UInt8(ascii: "a"),
                    bytes[index - 3] == UInt8(ascii: "h"), bytes[index - 4] == UInt8(ascii: "s")
                {
                    return true
                }
                index += 5
            case UInt8(ascii: "1"): index += 1
            case UInt8(ascii: "a"): index += 2
            case UInt8(ascii: "h"): index += 3
            case UInt8(ascii: "s"): index += 4
            default: index += 5
            }
        }
        return false
    }
}
