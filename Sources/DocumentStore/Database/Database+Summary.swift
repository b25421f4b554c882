import DatabaseMigrations
import DocumentValues
import GRDB
import SQLiteStorage

/// The space that a database folder takes on the disk, in bytes.
package struct DiskUse: Sendable, Hashable {
    /// The file with the documents and indexes.
    package let database: UInt64
    /// Free pages of that file; only compacting gives them back.
    package let unused: UInt64
    /// The log: commits that are not yet copied into the file.
    package let log: UInt64
    /// Files of attachments.
    package let blobs: UInt64
    package let blobCount: Int
    /// Set aside for work that makes room on a full disk.
    package let reserve: UInt64
    /// Bytes that the reserve lacks: the disk was full, and has had no room for them since.
    package let missingReserve: UInt64

    package var total: UInt64 { database + log + blobs }
}

/// The counters of a collection.
package struct CollectionSummary: Sendable, Hashable {
    package let name: CollectionName
    package let documents: Int64
    /// Tombstones.
    package let deleted: Int64
    /// Of its last change.
    package let sequence: UInt64
    package let indexes: [String]
}

/// The counters of a database.
package struct DatabaseSummary: Sendable, Hashable {
    /// The number of the last step of the schema.
    package let schema: Int
    package let collections: [CollectionSummary]
    /// Pushes that were refused.
    package let outbox: Int64
    /// Revisions of gateways that are in conflict with local ones.
    package let conflicts: Int64
    package let quarantine: Int64
}

extension Database {
    package func diskUse() throws -> DiskUse {
        let core = try core()
        let unused = try core.read { db in
            try db.pragma("freelist_count") * db.pragma("page_size")
        }
        let blobs = try BlobFolder(core.folder.attachments).usage()
        let reserve = try core.folder.size(of: core.folder.reserve) ?? 0
        return DiskUse(
            database: try core.folder.size(of: core.folder.database) ?? 0, unused: UInt64(max(0, unused)),
            log: try core.folder.size(of: core.folder.log) ?? 0, blobs: blobs.bytes, blobCount: blobs.blobs,
            reserve: reserve, missingReserve: UInt64(StoreLimits.reserve) - min(reserve, UInt64(StoreLimits.reserve)))
    }

    /// All numbers are of one state of the database.
    package func summary() throws -> DatabaseSummary {
        try core().snapshot { db in
            DatabaseSummary(
                // An open database has run all steps.
                schema: DatabaseMigrations.store.last?.number ?? 0,
                collections: try CollectionCatalog.all(db).map { try CollectionSummary($0, db) },
                outbox: try db.count("outbox"), conflicts: try db.count("conflicts"),
                quarantine: try db.count("quarantine"))
        }
    }
}

extension CollectionSummary {
    fileprivate init(_ record: CollectionRecord, _ db: GRDB.Database) throws {
        name = record.name
        documents = max(0, record.liveDocuments)
        deleted = try db.count("documents_\(record.id) WHERE flags & 1 = 1")
        sequence = record.lastSequence
        indexes = try IndexCatalog.all(of: record.id, db).map(\.name)
    }
}

extension GRDB.Database {
    fileprivate func count(_ rows: String) throws -> Int64 {
        try RawStatement("SELECT count(*) FROM \(rows)", self).first { $0.int64(0) } ?? 0
    }

    fileprivate func pragma(_ name: String) throws -> Int64 {
        try RawStatement("PRAGMA \(name)", self).first { $0.int64(0) } ?? 0
    }
}
