import GRDB
import SQLiteStorage

/// How often all checkpoints of a database were forgotten, so that everything is compared again.
enum CheckpointGeneration {
    private static let key = "checkpoint_generation"

    static func read(_ db: GRDB.Database) throws -> UInt64 {
        let query = try RawStatement("SELECT value FROM properties WHERE key = ?1", db)
        query.bind(1, to: key)
        return try query.first { UInt64(String(decoding: $0.bytes(0), as: UTF8.self)) ?? 0 } ?? 0
    }

    /// Open sessions keep their checkpoints in memory: the number shows them that these no longer count.
    static func forgetCheckpoints(_ db: GRDB.Database) throws {
        try RawStatement("DELETE FROM checkpoints", db).run()
        let next = try read(db) + 1
        let update = try RawStatement("INSERT OR REPLACE INTO properties (key, value) VALUES (?1, ?2)", db)
        update.bind(1, to: key)
        update.bindBlob(2, to: Array("\(next)".utf8))
        try update.run()
    }
}
