import DocumentValues
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement on the hot paths: SQLite's own calls, without an allocation a value.
///
/// The statement comes from GRDB's cache and is used inside GRDB's transaction.
struct RawStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer?

    init(_ sql: String, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        connection = db.sqliteConnection
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: Binding, from 1

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ index: Int32, _ value: UInt64) { sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }
    func bind(_ index: Int32, _ value: Bool) { sqlite3_bind_int64(handle, index, value ? 1 : 0) }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ text: String?) {
        guard var text else {
            sqlite3_bind_null(handle, index)
            return
        }
        text.withUTF8 { utf8 in
            _ = utf8.withMemoryRebound(to: CChar.self) { characters in
                // An empty buffer may have no address, which would bind NULL.
                characters.baseAddress.map {
                    sqlite3_bind_text(handle, index, $0, Int32(characters.count), Self.transient)
                } ?? sqlite3_bind_text(handle, index, "", 0, Self.transient)
            }
        }
    }

    func bind(_ index: Int32, _ name: Name) { bind(index, name.text) }

    func bind(_ index: Int32, _ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { buffer in
            if let base = buffer.baseAddress, !buffer.isEmpty {
                sqlite3_bind_blob(handle, index, base, Int32(buffer.count), Self.transient)
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    /// SQLite copies what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Running

    /// Whether there is a (further) row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let code = sqlite3_extended_errcode(connection)
            let message = sqlite3_errmsg(connection).map { String(cString: $0) }
            sqlite3_reset(handle)
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Runs a statement without rows; its bindings may be set again afterwards.
    func run() throws {
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Ends the statement, so that it holds no locks until it is used again.
    func finish() { sqlite3_reset(handle) }

    /// The rows, one after the other.
    func forEachRow(_ body: (RawStatement) throws -> Void) throws {
        defer { finish() }
        while try step() { try body(self) }
    }

    /// The first row's value, if there is a row.
    func first<Value>(_ body: (RawStatement) throws -> Value) throws -> Value? {
        defer { finish() }
        return try step() ? body(self) : nil
    }

    // MARK: Columns, from 0

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func uint64(_ column: Int32) -> UInt64 { UInt64(bitPattern: int64(column)) }
    func bool(_ column: Int32) -> Bool { int64(column) != 0 }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func string(_ column: Int32) -> String { String(decoding: buffer(column), as: UTF8.self) }
    func name(_ column: Int32) -> Name { Name(string(column)) }
    func stringOrNil(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }
    func bytes(_ column: Int32) -> [UInt8] { Array(buffer(column)) }

    /// The column's bytes, valid until the next step.
    func buffer(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }
}
