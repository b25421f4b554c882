import GRDB
import SQLiteStorage

/// How often all checkpoints of a database were forgotten, so that everything is compared again.
enum CheckpointGeneration {
    private static let key = "checkpoint_generation"

    static func read(_ db: GRDB.Database) throws -> UInt64 {
        try PropertyTable(db).value(of: key).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Open sessions keep their checkpoints in memory: the number shows them that these no longer count.
    static func forgetCheckpoints(_ db: GRDB.Database) throws {
        try RawStatement("DELETE FROM checkpoints", db).run()
        let next = try read(db) + 1
        try PropertyTable(db).set(key, to: Array("\(next)".utf8))
    }
}
