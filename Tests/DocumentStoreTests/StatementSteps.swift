import GRDBSQLite
import SQLiteStorage

extension RawStatement {
    /// The steps of SQLite for all rows.
    func stepsOfAllRows() throws -> Int32 {
        sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
        while try step() {}
        return sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
    }
}
