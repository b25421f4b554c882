import DocumentValues
import GRDB
import SQLiteStorage

/// The part of a document's row that a `Document` has.
struct FoundDocument: Sendable {
    let sequence: UInt64
    let revision: RevisionID
    let flags: DocumentRowFlags
    /// Nanoseconds since 1970.
    let timestamp: UInt64
    /// Seconds since 1970.
    let expiration: Double?
    let body: [UInt8]

    /// Neither deleted nor past its time.
    var isVisible: Bool { !flags.contains(.deleted) && !(expiration.map { $0 <= StoreInstant.now.seconds } ?? false) }

    /// The statement that finds it by its id.
    static func query(_ collection: Int64, in db: GRDB.Database) throws -> RawStatement {
        try RawStatement(
            """
            SELECT sequence, revision, flags, timestamp, expiration, body FROM documents_\(collection) WHERE id = ?1
            """, db)
    }

    static func find(_ id: String, by query: RawStatement) throws -> FoundDocument? {
        query.bind(1, to: id)
        return try query.first { row in
            FoundDocument(
                sequence: row.natural(0), revision: try row.revision(1),
                flags: DocumentRowFlags(rawValue: row.int64(2)),
                timestamp: row.natural(3), expiration: row.double(4), body: row.bytes(5))
        }
    }
}
