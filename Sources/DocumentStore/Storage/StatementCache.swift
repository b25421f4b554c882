import DocumentValues
import SQLiteStorage

/// The statements of queries that a connection has had last: there is no end of texts where a program writes values into
/// them, and a list of some thousand takes megabytes.
struct StatementCache {
    private struct Entry {
        let sql: String
        let statement: RawStatement
        let bytes: Int
    }

    /// What was used last is at the end.
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
