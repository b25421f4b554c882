import Foundation
import GRDBSQLite

/// The yardstick: SQLite's own calls, durable as the gateway is, with nothing around them.
final class RawSQLite {
    private var connection: OpaquePointer?
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        guard sqlite3_open(folder.path + "/raw.sqlite3", &connection) == SQLITE_OK else {
            throw BenchmarkFailure("SQLite does not open a file")
        }
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("CREATE TABLE documents (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, body BLOB NOT NULL)")
    }

    deinit { sqlite3_close(connection) }

    /// Documents a second, so many in one transaction.
    static func insertRate(_ documents: [(id: String, body: [UInt8])], perTransaction: Int = 1_000) throws -> Double {
        let database = try RawSQLite()
        let seconds = try Measuring.seconds {
            try database.insert(documents, perTransaction: perTransaction)
        }
        return Double(documents.count) / seconds
    }

    /// Seconds of the median transaction of one document.
    static func commitTime(_ documents: [(id: String, body: [UInt8])]) throws -> Double {
        let database = try RawSQLite()
        return Measuring.median(
            try documents.map { document in
                try Measuring.seconds { try database.insert([document], perTransaction: 1) }
            })
    }

    func insert(_ documents: [(id: String, body: [UInt8])], perTransaction: Int) throws {
        let statement = try prepare("INSERT INTO documents (id, body) VALUES (?, ?)")
        defer { sqlite3_finalize(statement) }
        for start in stride(from: 0, to: documents.count, by: perTransaction) {
            try run("BEGIN IMMEDIATE")
            for (id, body) in documents[start..<min(start + perTransaction, documents.count)] {
                sqlite3_bind_text(statement, 1, id, -1, Self.transient)
                sqlite3_bind_blob(statement, 2, body, Int32(body.count), Self.transient)
                guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
                sqlite3_reset(statement)
            }
            try run("COMMIT")
        }
    }

    /// Reads the ids, in the order of their sequences.
    func readIDs() throws -> Int {
        let statement = try prepare("SELECT sequence, id FROM documents ORDER BY sequence")
        defer { sqlite3_finalize(statement) }
        var bytes = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            bytes += sqlite3_column_text(statement, 1).map { strlen($0) } ?? 0
        }
        return bytes
    }

    /// Puts documents into a table that SQLite's functions for JSON can read.
    func insertTexts(_ documents: [(id: String, body: [UInt8])]) throws {
        try run("CREATE TABLE texts (id TEXT UNIQUE NOT NULL, body TEXT NOT NULL)")
        let statement = try prepare("INSERT INTO texts (id, body) VALUES (?, ?)")
        defer { sqlite3_finalize(statement) }
        try run("BEGIN IMMEDIATE")
        for (id, body) in documents {
            sqlite3_bind_text(statement, 1, id, -1, Self.transient)
            sqlite3_bind_text(statement, 2, String(decoding: body, as: UTF8.self), -1, Self.transient)
            guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
            sqlite3_reset(statement)
        }
        try run("COMMIT")
    }

    func execute(_ sql: String) throws { try run(sql) }

    /// Reads all rows; how many there were.
    func readRows(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        var rows = 0
        var bytes = 0
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw failure() }
                return bytes > 0 ? rows : 0
            }
            rows += 1
            for column in 0..<sqlite3_column_count(statement) {
                bytes += sqlite3_column_text(statement, column).map { strlen($0) } ?? 0
            }
        }
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
        return statement
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func failure() -> BenchmarkFailure {
        BenchmarkFailure("SQLite: " + (sqlite3_errmsg(connection).map { String(cString: $0) } ?? "?"))
    }
}
