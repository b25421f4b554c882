import GRDB
import SQLiteStorage

/// Single values, read from a connection.
struct SQLitePropertyRows: PropertyRows {
    let db: Database

    func bytes(_ property: StoreProperty) throws -> [UInt8]? {
        let statement = try RawStatement("SELECT value FROM properties WHERE name = ?", db)
        statement.bind(1, to: property.name)
        return try statement.first { $0.bytes(0) }
    }

    func number(_ property: StoreProperty) throws -> UInt64 {
        guard let bytes = try bytes(property) else { return 0 }
        guard let number = UInt64(String(decoding: bytes, as: UTF8.self)) else {
            throw GatewayError.damaged("number \(property.name)")
        }
        return number
    }
}

/// Writes them in the transaction of a connection.
struct SQLitePropertyWrites: PropertyWrites {
    let db: Database

    func set(_ property: StoreProperty, to value: [UInt8]) throws {
        let statement = try RawStatement(
            "INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", db)
        statement.bind(1, to: property.name)
        statement.bindBlob(2, to: value)
        try statement.run()
    }

    func set(_ property: StoreProperty, to value: UInt64) throws { try set(property, to: Array(String(value).utf8)) }
}
