import GRDB
import SQLiteStorage

/// The cookies that gateways have set for this device, by their addresses. They are no checkpoints: they stay when these are
/// forgotten.
enum DeviceCookies {
    private static let prefix = "device-cookie/"

    static func read(of address: String, _ db: GRDB.Database) throws -> [UInt8]? {
        let query = try RawStatement("SELECT value FROM properties WHERE key = ?1", db)
        query.bind(1, to: prefix + address)
        return try query.first { $0.bytes(0) }
    }

    static func save(_ cookie: [UInt8], of address: String, in db: GRDB.Database) throws {
        let insert = try RawStatement("INSERT OR REPLACE INTO properties (key, value) VALUES (?1, ?2)", db)
        insert.bind(1, to: prefix + address)
        insert.bindBlob(2, to: cookie)
        try insert.run()
    }

    /// For a copy of the database, which may be for another device.
    static func forgetAll(_ db: GRDB.Database) throws {
        try db.execute(sql: "DELETE FROM properties WHERE key LIKE ?", arguments: [prefix + "%"])
    }
}
