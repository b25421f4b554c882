import GRDB

extension GRDB.Database {
    /// Copies the log into the file and empties it, so that erased content does not stay in it. Outside a transaction.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for readers of older states, in milliseconds.
    ///   - busyTimeout: the connection's own, in milliseconds, which counts again afterwards.
    /// - Returns: whether the log is empty; false if a reader or a writer prevented it.
    package func emptyLog(timeout: Int, busyTimeout: Int) throws -> Bool {
        try execute(sql: "PRAGMA busy_timeout = \(timeout)")
        let row = Result { try Row.fetchOne(self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try execute(sql: "PRAGMA busy_timeout = \(busyTimeout)")
        return try row.get()?[0] == 0
    }

    /// Copies as much of the log into the file as is possible without waiting for readers. Outside a transaction.
    package func copyLog() throws { try execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
}
