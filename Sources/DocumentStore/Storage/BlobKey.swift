import GRDB
import SQLiteStorage
import SodiumCrypto

/// The key of the blobs of an encrypted database, which is a row of it.
enum BlobKey {
    /// - Throws: `.corruptData` if it is missing.
    static func find(_ db: GRDB.Database) throws -> SecretKey {
        var bytes =
            try RawStatement("SELECT value FROM properties WHERE key = 'blob_key'", db).first { $0.bytes(0) } ?? []
        defer { wipe(&bytes) }
        guard bytes.count == SecretKey.length else {
            throw StoreError(
                .corruptData, message: "The key of the attachments is missing in the database.",
                hint: "Restore the folder from a backup, or sync into a new folder.")
        }
        return try SecretKey(bytes: bytes)
    }

    /// Makes one where there is none.
    static func ensure(_ db: GRDB.Database) throws { try store(SecretKey(), in: db, replacing: false) }

    static func replace(by key: SecretKey, in db: GRDB.Database) throws { try store(key, in: db, replacing: true) }

    static func remove(_ db: GRDB.Database) throws {
        try RawStatement("DELETE FROM properties WHERE key = 'blob_key'", db).run()
    }

    private static func store(_ key: SecretKey, in db: GRDB.Database, replacing: Bool) throws {
        let insert = try RawStatement(
            "INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO properties (key, value) VALUES ('blob_key', ?1)", db)
        var bytes = key.withBytes { Array($0) }
        defer { wipe(&bytes) }
        insert.bindBlob(1, to: bytes)
        try insert.run()
        insert.clear()
    }
}
