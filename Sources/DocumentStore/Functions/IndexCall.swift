import GRDBSQLite

/// Which calls of functions are for an index and not for a query.
enum IndexCall {
    /// A function that fails is MISSING in an index: otherwise a document that another user wrote could not be stored. Indexes
    /// are computed where a statement writes, and where `PRAGMA integrity_check` reads.
    static func isOne(_ context: OpaquePointer?) -> Bool {
        let connection = sqlite3_context_db_handle(context)
        var next = sqlite3_next_stmt(connection, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0, !isQuery(statement) { return true }
            next = sqlite3_next_stmt(connection, statement)
        }
        return false
    }

    private static func isQuery(_ statement: OpaquePointer) -> Bool {
        guard sqlite3_stmt_readonly(statement) != 0, let sql = sqlite3_sql(statement) else { return false }
        return sqlite3_strnicmp(sql, "SELECT", 6) == 0 || sqlite3_strnicmp(sql, "WITH", 4) == 0
    }
}
