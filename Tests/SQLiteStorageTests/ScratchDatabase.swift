import Foundation
import GRDB
import SQLiteStorage

/// A folder with a database file, for one test.
struct ScratchDatabase {
    static let settings = ConnectionSettings(label: "test", busyTimeout: 1, readers: 2)

    let folder: URL
    var path: String { folder.appendingPathComponent("scratch.sqlite3").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs `body` on a connection to a database with a table `items (id INTEGER PRIMARY KEY, value UNIQUE)`.
    static func withItems(_ body: (GRDB.Database) throws -> Void) throws {
        try DatabaseQueue().inDatabase { db in
            try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, value UNIQUE)")
            try body(db)
        }
    }
}

extension GRDB.Database {
    func insert(id: Int64, text: String) throws {
        let insert = try RawStatement("INSERT INTO items VALUES (?1, ?2)", self)
        insert.bind(1, to: id)
        insert.bind(2, to: text)
        try insert.run()
    }

    func texts() throws -> [String] { try RawStatement("SELECT value FROM items ORDER BY id", self).all { $0.text(0) } }
}
