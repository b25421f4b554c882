import GRDBSQLite

/// SQLite's numbers for failed calls of a file, which Swift does not import.
enum FileFailure {
    static let read = SQLITE_IOERR | (1 << 8)
    /// There were fewer bytes.
    static let shortRead = SQLITE_IOERR | (2 << 8)
    static let write = SQLITE_IOERR | (3 << 8)
}
