import GRDBSQLite

/// Has terms overwritten when they are deleted from a full-text index. SQLite can do that from 3.42 on; an older one only
/// marks them as deleted until the index is merged.
///
/// An index that was changed so cannot be read by an older SQLite.
enum FullTextDeletion {
    static let isSecure = sqlite3_libversion_number() >= 3_042_000

    /// The statements that set a table up for it.
    static func statements(_ table: String) -> [String] {
        isSecure ? ["INSERT INTO \(table) (\(table), rank) VALUES ('secure-delete', 1)"] : []
    }
}
