import Foundation
import GRDBSQLite

/// The reference: SQLite's own calls, as durable as the gateway, without other work.
final class RawSQLite {
    private var connection: OpaquePointer?
    /// Prepared once: a transaction of one document is short beside it.
    private var insertion: OpaquePointer?
    /// `nil` for a file that this object does not own.
    private let folder: TemporaryFolder?

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        guard sqlite3_open(folder.path + "/raw.sqlite3", &connection) == SQLITE_OK else {
            throw BenchmarkFailure("SQLite does not open a file")
        }
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("CREATE TABLE documents (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, body BLOB NOT NULL)")
    }

    /// Opens a file that is there already.
    init(file: String) throws {
        folder = nil
        guard sqlite3_open_v2(file, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw BenchmarkFailure("SQLite does not open \(file)")
        }
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_close(connection)
    }

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
        let statement = try insertion ?? prepare("INSERT INTO documents (id, body) VALUES (?, ?)")
        insertion = statement
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
    func insertTexts(_ documents: [(id: String, body: [UInt8])], table: String = "texts") throws {
        try run("CREATE TABLE \(table) (id TEXT UNIQUE NOT NULL, body TEXT NOT NULL)")
        let statement = try prepare("INSERT INTO \(table) (id, body) VALUES (?, ?)")
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

    /// Streams a document's body in, in one transaction.
    func insertBlob(_ stream: InputStream, bytes: Int) throws {
        try run("BEGIN IMMEDIATE")
        try run("INSERT INTO documents (id, body) VALUES ('blob', zeroblob(\(bytes)))")
        // Closed before the commit, which an open blob would prevent.
        try fillLastBody(stream, bytes: bytes)
        try run("COMMIT")
    }

    private func fillLastBody(_ stream: InputStream, bytes: Int) throws {
        stream.open()
        defer { stream.close() }
        var blob: OpaquePointer?
        let row = sqlite3_last_insert_rowid(connection)
        guard sqlite3_blob_open(connection, "main", "documents", "body", row, 1, &blob) == SQLITE_OK else {
            throw failure()
        }
        defer { sqlite3_blob_close(blob) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        var offset = 0
        while offset < bytes {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { throw BenchmarkFailure("the content of a blob ends after \(offset) bytes") }
            guard sqlite3_blob_write(blob, buffer, Int32(count), Int32(offset)) == SQLITE_OK else { throw failure() }
            offset += count
        }
    }

    /// Bytes of the file, into which the log is copied before.
    func size() throws -> Int {
        try run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try folder?.size() ?? 0
    }

    func execute(_ sql: String) throws { try run(sql) }

    /// Reads the texts of documents one after the other, to their last byte; how many there were.
    func readTexts(ids: [String]) throws -> Int {
        let statement = try prepare("SELECT body FROM texts WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        var found = 0
        for id in ids {
            sqlite3_bind_text(statement, 1, id, -1, Self.transient)
            if sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0), strlen(text) > 0 {
                found += 1
            }
            sqlite3_reset(statement)
        }
        return found
    }

    /// The first column of the first row.
    func text(_ sql: String) throws -> String {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else {
            throw failure()
        }
        return String(cString: text)
    }

    /// Calls `body` with the text of each document.
    func forEachText(_ body: (Data) throws -> Void) throws {
        let statement = try prepare("SELECT body FROM texts")
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            guard let text = sqlite3_column_text(statement, 0) else { throw failure() }
            try body(Data(bytes: text, count: Int(sqlite3_column_bytes(statement, 0))))
        }
    }

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
