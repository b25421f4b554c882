import DocumentValues
import SQLiteStorage

/// The statements of queries that a connection has used last. Their number is limited: a program that writes values into
/// its texts has no end of them, and some thousand statements take megabytes.
struct StatementCache {
    private struct Entry {
        let sql: String
        let statement: RawStatement
        let bytes: Int
    }

    /// The statement that was used last is at the end.
    private var entries: [Entry] = []
    private var bytes = 0

    /// Gives a statement away.
    mutating func take(_ sql: String) -> RawStatement? {
        guard let index = entries.lastIndex(where: { $0.sql.isExactly(sql) }) else { return nil }
        let entry = entries.remove(at: index)
        bytes -= entry.bytes
        return entry.statement
    }

    mutating func keep(_ statement: RawStatement, sql: String) {
        let entry = Entry(sql: sql, statement: statement, bytes: statement.memory + sql.utf8.count)
        guard entry.bytes <= StoreLimits.cachedStatementBytes / 4 else { return }
        entries.append(entry)
        bytes += entry.bytes
        while entries.count > StoreLimits.cachedStatements || bytes > StoreLimits.cachedStatementBytes {
            bytes -= entries.removeFirst().bytes
        }
    }
}
