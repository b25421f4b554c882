import DocumentValues
import GRDB
import SQLiteStorage

/// The replicator's view of a database: what one remote has of it, batch by batch.
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
        remoteID =
            try core.read { try Remotes.find(remote, in: $0) }
            ?? core.write(.normal) { try Remotes.make(remote, in: $0.db) }
    }

    /// Identifies this database for ever; part of the input for a checkpoint's id.
    package var privateUUID: [UInt8] { core.identity.privateUUID }

    package var blobs: any BlobStorage { core.blobs }

    /// Bytes that the disk has left; `nil` where the system does not say.
    package var freeSpace: Int? { FreeSpace.bytes(at: core.path) }

    /// Reads one state of a collection.
    func read<Value>(
        _ collection: CollectionName, body: (CollectionReader) throws -> Value
    ) throws -> Value {
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

    package func saveCheckpoint(_ id: String, body: [UInt8]) throws {
        // NORMAL is enough: after a power cut the checkpoint may be older, but it is never ahead of the stored
        // documents.
        try core.write(.normal) { transaction in
            let insert = try RawStatement(
                "INSERT OR REPLACE INTO checkpoints (id, body) VALUES (?1, ?2)", transaction.db)
            insert.bind(1, to: id)
            insert.bindBlob(2, to: body)
            try insert.run()
        }
    }

    /// For a session that goes on from checkpoints of an earlier one. Saves only if the checkpoints have not been forgotten
    /// since: they are forgotten so that a document is fetched again, and a late save would undo that.
    ///
    /// - Parameter generation: as ``checkpointGeneration()`` was before the session read its checkpoints.
    /// - Returns: whether it was saved.
    package func saveCheckpoint(_ id: String, body: [UInt8], of generation: UInt64) throws -> Bool {
        try core.write(.normal) { transaction in
            guard try CheckpointGeneration.read(transaction.db) == generation else { return false }
            try saveCheckpoint(id, body: body)
            return true
        }
    }

    /// Changes each time that all checkpoints are forgotten.
    package func checkpointGeneration() throws -> UInt64 { try core.read(CheckpointGeneration.read) }

    // MARK: Device cookies

    /// The cookie that the gateway at this address has set for this device.
    package func deviceCookie(of address: String) throws -> [UInt8]? {
        try core.read { try DeviceCookies.read(of: address, $0) }
    }

    package func saveDeviceCookie(_ cookie: [UInt8], of address: String) throws {
        try core.write(.normal) { try DeviceCookies.save(cookie, of: address, in: $0.db) }
    }

    // MARK: Changes

    /// Calls `body` after each commit, of this process or another, with the collections that it touched, made or deleted.
    /// Commits that follow closely may be reported as one.
    package func observeChanges(_ body: @escaping @Sendable (Set<CollectionName>) -> Void) throws -> ListenerToken {
        try database.changeHub().observe(body)
    }
}
