import DocumentValues
import Foundation
import GRDB

/// Single values of a gateway database.
enum StoreProperties {
    static let lastSequence = "last_sequence"
    static let configuration = "configuration"
    static let sessionKey = "session_key"
    static let startTime = "start_time"

    static func get(_ name: String, _ db: Database) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM properties WHERE name = ?")
        return try Row.fetchOne(statement, arguments: [name]).map { Array($0[0] as Data) }
    }

    static func set(_ name: String, _ value: [UInt8], _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
        try statement.execute(arguments: [name, Data(value)])
    }

    static func number(_ name: String, _ db: Database) throws -> UInt64 {
        guard let bytes = try get(name, db) else { return 0 }
        return UInt64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    static func setNumber(_ name: String, _ value: UInt64, _ db: Database) throws {
        try set(name, Array(String(value).utf8), db)
    }
}

/// Sequences of the database: taken only inside a write, so that they become visible in their order.
enum SequenceAllocator {
    static func last(_ db: Database) throws -> UInt64 { try StoreProperties.number(StoreProperties.lastSequence, db) }

    static func next(_ db: Database) throws -> UInt64 {
        let sequence = try last(db) + 1
        try StoreProperties.setNumber(StoreProperties.lastSequence, sequence, db)
        return sequence
    }
}
