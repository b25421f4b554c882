import DocumentValues
import GRDB
import SQLiteStorage

/// The replicator's view of a database: what one remote knows of it, batch by batch.
///
/// Synchronous and thread-safe; meant to be called from the replicator's own queue. Everything a call changes is in one
/// transaction.
package final class ReplicationStore: Sendable {
    package let database: Database
    /// The identity of the remote, usually its URL.
    package let remote: String
    let remoteID: Int64
    let core: StoreCore

    package init(database: Database, remote: String) throws {
        self.database = database
        self.remote = remote
        let core = try database.core()
        self.core = core
        remoteID = try core.read { try Self.find(remote, in: $0) } ?? Self.make(remote, core: core)
    }

    /// Looking comes first, so that anybody who only asks what waits writes nothing: that works on a full disk too.
    static func find(_ remote: String, in db: GRDB.Database) throws -> Int64? {
        let query = try RawStatement("SELECT id FROM remotes WHERE identity = ?1", db)
        query.bind(1, to: remote)
        return try query.first { $0.int64(0) }
    }

    private static func make(_ remote: String, core: StoreCore) throws -> Int64 {
        try core.write(.normal) { transaction in
            let insert = try RawStatement("INSERT OR IGNORE INTO remotes (identity) VALUES (?1)", transaction.db)
            insert.bind(1, to: remote)
            try insert.run()
            return try find(remote, in: transaction.db) ?? 0
        }
    }

    /// Identifies this database for ever; part of what a checkpoint's id is made from.
    package var privateUUID: [UInt8] { core.identity.privateUUID }

    package var blobs: any BlobStorage { core.blobs }

    /// Reads one state of a collection.
    func read<Result>(
        _ collection: CollectionName, body: (CollectionReader) throws -> Result
    ) throws -> Result {
        try core.snapshot { db in
            guard let record = try CollectionCatalog.find(collection, db) else {
                throw StoreError.noCollection(collection)
            }
            return try body(CollectionReader(db: db, record: record))
        }
    }

    // MARK: Checkpoints

    package func loadCheckpoint(_ id: String) throws -> [UInt8]? {
        try core.read { db in
            let query = try RawStatement("SELECT body FROM checkpoints WHERE id = ?1", db)
            query.bind(1, to: id)
            return try query.first { $0.bytes(0) }
        }
    }

    /// `nil` forgets the checkpoint.
    package func saveCheckpoint(_ id: String, body: [UInt8]?) throws {
        // NORMAL will do: a checkpoint that a power cut takes back is only older, never ahead of what is stored.
        try core.write(.normal) { transaction in
            guard let body else {
                let delete = try RawStatement("DELETE FROM checkpoints WHERE id = ?1", transaction.db)
                delete.bind(1, to: id)
                return try delete.run()
            }
            let insert = try RawStatement(
                "INSERT OR REPLACE INTO checkpoints (id, body) VALUES (?1, ?2)", transaction.db)
            insert.bind(1, to: id)
            insert.bindBlob(2, to: body)
            try insert.run()
        }
    }

    // MARK: Changes

    /// Calls `body` after each commit, of this process or another, with the collections that it touched. Commits that
    /// follow closely may be reported as one.
    package func observeChanges(_ body: @escaping @Sendable (Set<CollectionName>) -> Void) throws -> ListenerToken {
        try database.changeHub().observe(body)
    }
}
