import DocumentValues
import GRDB
import GRDBSQLite

/// A prepared statement of SQLite without anything around it, for the hot paths: GRDB's rows cost more than half of the
/// time there. It shares the connection's transaction and its cache of statements.
///
/// Use: bind, then `step` until false or `run`; both leave the statement ready for the next time.
struct RawStatement {
    private let handle: OpaquePointer

    init(_ db: GRDB.Database, _ sql: String) throws {
        handle = try db.cachedStatement(sql: sql).sqliteStatement
        reset()
    }

    // MARK: Binding

    /// Tells SQLite to take a copy; C has it as a cast that Swift does not import.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: Int64?) {
        guard let value else { return bindNull(index) }
        bind(index, value)
    }

    func bind(_ index: Int32, _ value: Double?) {
        guard let value else { return bindNull(index) }
        sqlite3_bind_double(handle, index, value)
    }

    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bindText(index, $0) }
    }

    /// UTF-8 bytes, stored as text so that SQLite's JSON functions take them.
    func bindText(_ index: Int32, _ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { bindText(index, $0) } }

    private func bindText(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // An empty buffer may have no address, and SQLite would store NULL for it.
            guard let base = characters.baseAddress else { return bindEmptyText(index) }
            sqlite3_bind_text64(
                handle, index, base, UInt64(characters.count), Self.copied, UInt8(SQLITE_UTF8))
        }
    }

    private func bindEmptyText(_ index: Int32) { sqlite3_bind_text(handle, index, "", 0, Self.copied) }

    func bindBlob(_ index: Int32, _ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { buffer in
            if let base = buffer.baseAddress {
                sqlite3_bind_blob64(handle, index, base, UInt64(buffer.count), Self.copied)
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    private func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    // MARK: Running

    /// True when there is a row to read; false at the end, after which the statement is ready to be used again.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        default: throw failure()
        }
    }

    /// For statements that return nothing.
    func run() throws {
        guard try !step() else {
            reset()
            throw StoreError(.unexpected, "A statement returned rows that nobody reads.")
        }
    }

    /// Reads the first row, if there is one.
    func first<Value>(_ read: (RawStatement) throws -> Value) throws -> Value? {
        guard try step() else { return nil }
        defer { reset() }
        return try read(self)
    }

    /// Reads all rows.
    func all<Value>(_ read: (RawStatement) throws -> Value) throws -> [Value] {
        defer { reset() }
        var values: [Value] = []
        while try step() { values.append(try read(self)) }
        return values
    }

    func reset() { sqlite3_reset(handle) }

    private func failure() -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        let code = sqlite3_extended_errcode(connection)
        let message = String(cString: sqlite3_errmsg(connection))
        reset()
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    // MARK: Columns

    func int(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    /// What a damaged file has below 0 is 0.
    func uint64(_ index: Int32) -> UInt64 { UInt64(clamping: int(index)) }

    func double(_ index: Int32) -> Double? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_double(handle, index)
    }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

    func text(_ index: Int32) -> String {
        guard let text = sqlite3_column_text(handle, index) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func bytes(_ index: Int32) -> [UInt8] {
        guard let blob = sqlite3_column_blob(handle, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, index))))
    }

    func byteCount(_ index: Int32) -> Int { Int(sqlite3_column_bytes(handle, index)) }

    func revision(_ index: Int32) throws -> RevisionID {
        let text = text(index)
        guard let revision = RevisionID(text) else {
            throw StoreError(.corruptData, "A stored revision cannot be read.", context: ["revision": text])
        }
        return revision
    }
}
