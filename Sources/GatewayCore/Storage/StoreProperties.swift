import GRDB
import SQLiteStorage

/// Single values of a gateway database.
enum StoreProperties {
    static let lastSequence = "last_sequence"
    static let configuration = "configuration"
    static let configurationVersion = "configuration_version"
    static let configurationTimes = "configuration_times"
    static let sessionKey = "session_key"

    static func get(_ name: String, _ db: Database) throws -> [UInt8]? {
        let statement = try RawStatement("SELECT value FROM properties WHERE name = ?", db)
        statement.bind(1, name)
        return try statement.first { $0.bytes(0) }
    }

    static func set(_ name: String, _ value: [UInt8], _ db: Database) throws {
        let statement = try RawStatement(
            "INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", db)
        statement.bind(1, name)
        statement.bindBlob(2, value)
        try statement.run()
    }

    static func number(_ name: String, _ db: Database) throws -> UInt64 {
        try get(name, db).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    static func setNumber(_ name: String, _ value: UInt64, _ db: Database) throws {
        try set(name, Array(String(value).utf8), db)
    }
}
