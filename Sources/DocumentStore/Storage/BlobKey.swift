import GRDB
import SodiumCrypto

/// The key of the blobs of an encrypted database, which is a row of it.
enum BlobKey {
    private static let name = "blob_key"

    /// - Throws: `.corruptData` if it is missing.
    static func find(_ db: GRDB.Database) throws -> SecretKey {
        var bytes = try PropertyTable(db).value(of: name) ?? []
        defer { wipe(&bytes) }
        guard bytes.count == SecretKey.length else {
            throw StoreError(
                .corruptData, message: "The key of the attachments is missing in the database.",
                hint: "Restore the folder from a backup, or sync into a new folder.")
        }
        return try SecretKey(bytes: bytes)
    }

    /// Makes one where there is none.
    static func ensure(_ db: GRDB.Database) throws {
        var bytes = SecretKey().withBytes { Array($0) }
        defer { wipe(&bytes) }
        try PropertyTable(db).add(name, value: bytes)
    }

    static func replace(by key: SecretKey, in db: GRDB.Database) throws {
        var bytes = key.withBytes { Array($0) }
        defer { wipe(&bytes) }
        try PropertyTable(db).set(name, to: bytes)
    }

    static func remove(_ db: GRDB.Database) throws { try PropertyTable(db).remove(name) }
}
