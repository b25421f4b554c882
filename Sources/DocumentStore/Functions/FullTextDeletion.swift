import GRDBSQLite

/// What is deleted of a full-text index is overwritten in it, where this SQLite can do that (3.42): otherwise the words are
/// only marked as deleted until the index is merged.
///
/// An index that was changed so cannot be read by an older SQLite.
enum FullTextDeletion {
    static let isSecure = sqlite3_libversion_number() >= 3_042_000

    /// Those that a table needs for it.
    static func statements(_ table: String) -> [String] {
        isSecure ? ["INSERT INTO \(table) (\(table), rank) VALUES ('secure-delete', 1)"] : []
    }
}
