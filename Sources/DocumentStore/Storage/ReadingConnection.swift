import GRDB
import SQLiteStorage

/// A connection that only reads, for one result at a time, with the statements that it has used last.
// Unchecked, since the statements are used on the connection's queue only: the calls have the connection as an argument, and
// check that.
final class ReadingConnection: @unchecked Sendable {
    private var statements = StatementCache()
    private let queue: DatabaseQueue

    init(_ queue: DatabaseQueue) { self.queue = queue }

    func read<Value>(_ body: (GRDB.Database) throws -> Value) rethrows -> Value {
        try queue.unsafeReentrantRead(body)
    }

    /// A statement with nothing bound.
    ///
    /// - Parameter db: the connection, inside `read`.
    func statement(_ sql: String, in db: GRDB.Database) throws -> RawStatement {
        db.preconditionOnQueue()
        return try statements.take(sql) ?? RawStatement(uncached: sql, db)
    }

    /// Takes back a statement that is no longer used.
    ///
    /// - Parameter db: the connection, inside `read`.
    func keep(_ statement: RawStatement, sql: String, in db: GRDB.Database) {
        db.preconditionOnQueue()
        statement.clear()
        statements.keep(statement, sql: sql)
    }

    func close() throws {
        // A connection with statements cannot be closed.
        queue.unsafeReentrantRead { _ in statements = StatementCache() }
        try queue.close()
    }
}
