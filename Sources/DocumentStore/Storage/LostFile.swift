import GRDB
import GRDBSQLite

extension GRDB.Database {
    /// Whether the open file was moved or deleted. The system then keeps it for this process only, and all writes to it are
    /// lost when it is closed.
    var hasLostItsFile: Bool {
        var hasMoved: Int32 = 0
        // If SQLite does not answer, the value stays false.
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }
}

extension StoreError {
    static func lostFolder(_ path: String) -> StoreError {
        StoreError(
            .cannotOpenFile,
            message: "The database's folder was deleted or moved while it was open. Nothing more is saved in it.",
            context: ["path": path], hint: "Put the folder back, or open the database again where it is.")
    }
}
