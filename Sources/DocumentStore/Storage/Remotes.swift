import GRDB
import SQLiteStorage

/// The other databases and gateways that this one exchanges documents with, numbered.
enum Remotes {
    /// Reads first, so that a call that only asks for pending documents writes nothing: it works on a full disk, too.
    static func find(_ identity: String, in db: GRDB.Database) throws -> Int64? {
        let query = try RawStatement("SELECT id FROM remotes WHERE identity = ?1", db)
        query.bind(1, to: identity)
        return try query.first { $0.int64(0) }
    }

    /// The number of a remote that may be new.
    static func make(_ identity: String, in db: GRDB.Database) throws -> Int64 {
        let insert = try RawStatement("INSERT OR IGNORE INTO remotes (identity) VALUES (?1)", db)
        insert.bind(1, to: identity)
        try insert.run()
        return try find(identity, in: db) ?? 0
    }
}
