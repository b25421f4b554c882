import GRDB
import GRDBSQLite

extension GRDB.Database {
    /// Ends the statement that runs, with an error for those who wait for its next row. From any thread, as long as the
    /// connection is open.
    package func interruptStatement() {
        if let connection = sqliteConnection { sqlite3_interrupt(connection) }
    }
}
