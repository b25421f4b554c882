import GRDB
import SQLiteStorage

/// What a single value of a gateway database is called.
struct StoreProperty: Sendable {
    let name: String

    static let lastSequence = Self(name: "last_sequence")
    static let configuration = Self(name: "configuration")
    static let configurationVersion = Self(name: "configuration_version")
    static let configurationTimes = Self(name: "configuration_times")
    static let sessionKey = Self(name: "session_key")
}

/// Single values of a gateway database.
struct PropertyRows {
    fileprivate let db: Database

    func bytes(_ property: StoreProperty) throws -> [UInt8]? {
        let statement = try RawStatement("SELECT value FROM properties WHERE name = ?", db)
        statement.bind(1, to: property.name)
        return try statement.first { $0.bytes(0) }
    }

    /// 0 where there is none.
    func number(_ property: StoreProperty) throws -> UInt64 {
        try bytes(property).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
}

extension StoreReader {
    var properties: PropertyRows { PropertyRows(db: db) }
}

/// Writes single values.
struct PropertyWrites {
    fileprivate let db: Database

    func set(_ property: StoreProperty, to value: [UInt8]) throws {
        let statement = try RawStatement(
            "INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", db)
        statement.bind(1, to: property.name)
        statement.bindBlob(2, to: value)
        try statement.run()
    }

    func set(_ property: StoreProperty, to value: UInt64) throws { try set(property, to: Array(String(value).utf8)) }
}

extension WriteTransaction {
    var properties: PropertyWrites { PropertyWrites(db: db) }
}
