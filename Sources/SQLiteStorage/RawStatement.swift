import GRDB
import GRDBSQLite

/// A prepared statement of SQLite without anything around it, for the hot paths: GRDB's rows cost more than half of the
/// time there. It shares the connection's transaction. It comes from the connection's cache, if it is one of the
/// program's few fixed statements.
///
/// Use: bind, then `step` until false, or `run`, `first`, `all`, `forEachRow`; each leaves the statement ready for its next
/// use. Everything is inlinable, so that other modules only pay for SQLite's own calls.
package struct RawStatement {
    /// Keeps the handle alive: GRDB drops its cached statements when a table is made or removed.
    private let owner: Statement
    @usableFromInline package let handle: OpaquePointer

    /// The bindings of an earlier use are gone.
    package init(_ sql: String, _ db: GRDB.Database) throws {
        owner = try db.cachedStatement(sql: sql)
        handle = owner.sqliteStatement
        clear()
    }

    /// A statement that the connection does not cache: for texts without an end to their number.
    package init(uncached sql: String, _ db: GRDB.Database) throws {
        owner = try db.makeStatement(sql: sql)
        handle = owner.sqliteStatement
    }

    /// Bytes that SQLite needs for it.
    package var memory: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_MEMUSED, 0)) }

    /// Forgets the bound values.
    package func clear() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: Running

    /// True when there is a row to read; false at the end, after which the statement is ready to be used again.
    @inlinable package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        default: throw failure()
        }
    }

    /// For statements that return nothing.
    @inlinable package func run() throws {
        guard try !step() else { throw unreadRows() }
    }

    /// Reads the first row, if there is one.
    @inlinable package func first<Value>(_ read: (RawStatement) throws -> Value) throws -> Value? {
        guard try step() else { return nil }
        defer { reset() }
        return try read(self)
    }

    /// Reads all rows.
    @inlinable package func all<Value>(_ read: (RawStatement) throws -> Value) throws -> [Value] {
        defer { reset() }
        var values: [Value] = []
        while try step() { values.append(try read(self)) }
        return values
    }

    /// Reads the rows one after the other.
    @inlinable package func forEachRow(_ body: (RawStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    /// Ends the statement, so that it holds no locks until it is used again. The bound values stay.
    @inlinable package func reset() { sqlite3_reset(handle) }

    // MARK: Failing

    @usableFromInline package func failure() -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        let code = sqlite3_extended_errcode(connection)
        let message = String(cString: sqlite3_errmsg(connection))
        reset()
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    @usableFromInline package func unreadRows() -> DatabaseError {
        reset()
        return DatabaseError(message: "a statement returned rows that are never read")
    }
}
