import GRDB
import SQLiteStorage

/// The values of a database that are of no document, by their names: its identity, its key for attachments, and marks for the
/// next opening.
struct PropertyTable {
    private let db: GRDB.Database

    init(_ db: GRDB.Database) { self.db = db }

    func value(of key: String) throws -> [UInt8]? {
        let query = try RawStatement("SELECT value FROM properties WHERE key = ?1", db)
        query.bind(1, to: key)
        return try query.first { $0.bytes(0) }
    }

    func contains(_ key: String) throws -> Bool {
        let query = try RawStatement("SELECT 1 FROM properties WHERE key = ?1", db)
        query.bind(1, to: key)
        return try query.first { _ in true } ?? false
    }

    func set(_ key: String, to value: [UInt8]) throws {
        try store(value, of: key, by: "INSERT OR REPLACE INTO properties (key, value) VALUES (?1, ?2)")
    }

    /// Leaves a value that is there as it is.
    func add(_ key: String, value: [UInt8]) throws {
        try store(value, of: key, by: "INSERT OR IGNORE INTO properties (key, value) VALUES (?1, ?2)")
    }

    private func store(_ value: [UInt8], of key: String, by sql: String) throws {
        let insert = try RawStatement(sql, db)
        // The value may be a key, which must not stay in the memory of the statement.
        defer { insert.clear() }
        insert.bind(1, to: key)
        insert.bindBlob(2, to: value)
        try insert.run()
    }

    func remove(_ key: String) throws { try remove("key = ?1", matching: key) }

    /// - Parameter pattern: of SQLite's LIKE; `\` is before a character that is meant as it is.
    func removeAll(like pattern: String) throws { try remove(#"key LIKE ?1 ESCAPE '\'"#, matching: pattern) }

    private func remove(_ condition: String, matching text: String) throws {
        let delete = try RawStatement("DELETE FROM properties WHERE \(condition)", db)
        delete.bind(1, to: text)
        try delete.run()
    }
}
