import Dispatch
import DocumentValues
import Foundation
import GRDB
import SQLiteStorage
import SealedSQLite
import Synchronization

/// An open database folder: connections, transactions, blob storage. Everything public is built on it.
///
/// All methods may be called from any thread; writes are serialised, and a write inside a write joins its transaction.
final class StoreCore: Sendable {
    let folder: DatabaseFolder
    /// Of the file. Kept, because a URL puts its path together at each access, which takes as long as finding a
    /// document.
    let path: String
    /// For calls that end with the database; see `GatedBlobStorage`.
    let blobs: any BlobStorage
    /// Inside `call` only.
    let storedBlobs: any BlobStorage
    let identity: DatabaseIdentity
    /// For results that are read bit by bit.
    let results: ReadingConnections
    private let lookups: DocumentLookups
    /// For calls that must not block their thread.
    let calls = CallQueues()
    private let pool: DatabasePool
    private let durability: DatabaseConfiguration.Durability
    let room: DiskRoom
    private let useLock: FileLock
    /// Lets SQLite open the file, if it is encrypted.
    private let keyed: KeyedFile?
    /// Connections are used in its calls only: they may not be used while the pool is closed.
    private let gate: CallGate
    private let writer = WriterState()
    private let commitHandler = Mutex<CommitHandler?>(nil)
    private let expirationHandler = Mutex<CommitHandler?>(nil)
    /// See `planRemovalOfLeftovers`.
    let isRemovalPlanned = Atomic(false)
    let leftoverQueue = DispatchQueue(label: "fieldbook.database.leftovers")

    init(
        folder: DatabaseFolder, pool: DatabasePool, results: ReadingConnections, lookups: DocumentLookups,
        useLock: FileLock, keyed: KeyedFile?, blobs: any BlobStorage, identity: DatabaseIdentity,
        durability: DatabaseConfiguration.Durability
    ) {
        self.folder = folder
        path = folder.database.path
        self.pool = pool
        self.results = results
        self.lookups = lookups
        self.useLock = useLock
        self.keyed = keyed
        let gate = CallGate()
        self.gate = gate
        storedBlobs = blobs
        self.blobs = GatedBlobStorage(storage: blobs, gate: gate)
        self.identity = identity
        self.durability = durability
        room = DiskRoom(folder)
    }

    /// Called after each commit of this process.
    ///
    /// A structure, because a closure in a `Mutex` is wrapped once more at each access: a call would go through as many
    /// layers as there were commits.
    private struct CommitHandler: Sendable {
        let call: @Sendable () -> Void
    }

    /// Whether a transaction is on the disk when it ends, as SQLite spells it.
    enum Synchronous: String {
        case full = "FULL"
        /// Survives a crash of the process but, until the next full one, not a loss of power.
        case normal = "NORMAL"
    }

    /// What a transaction is for.
    enum Purpose {
        case saving
        /// On a full disk it may take the room that is kept for it.
        case makingRoom
    }

    func onCommit(_ handler: @escaping @Sendable () -> Void) {
        commitHandler.withLock { $0 = CommitHandler(call: handler) }
    }

    /// Sets the handler that is called after each commit that sets when a document is purged.
    func onExpiration(_ handler: @escaping @Sendable () -> Void) {
        expirationHandler.withLock { $0 = CommitHandler(call: handler) }
    }

    // MARK: Calls

    /// Runs `body` as one call, for which closing waits; read and write inside of it go on to its end.
    ///
    /// - Throws: the error that closing has given, once it has begun.
    func call<Value>(_ body: () throws -> Value) throws -> Value { try gate.call(body) }

    /// False once it is being closed.
    var isOpen: Bool { gate.isOpen }

    /// Whether the calling thread is in a call of it.
    var isInCall: Bool { gate.isEnteredByThisThread }

    // MARK: Reading

    /// Reads with a connection of the pool; inside a write on the same thread, with the writer's, so that its own
    /// changes are seen. Several statements that must agree go into `snapshot`.
    func read<Value>(_ body: (GRDB.Database) throws -> Value) throws -> Value {
        try gate.call { try translatingErrors(path: path) { try pool.unsafeReentrantRead(body) } }
    }

    /// Reads one state of the database.
    func snapshot<Value>(_ body: (GRDB.Database) throws -> Value) throws -> Value {
        try read { db in
            if db.isInsideTransaction { return try body(db) }
            return try db.reading { try body(db) }
        }
    }

    /// Finds a document by its id.
    ///
    /// - Throws: `.notOpen` if the collection is deleted.
    func find(_ id: String, in collection: Int64) throws -> FoundDocument? {
        try gate.call {
            // Only the transaction's own connection sees its changes.
            if !writer.isOnThisThread, let found = lookups.find(id, in: collection) { return found }
            return try snapshot { db in
                guard try CollectionCatalog.find(collection, db) != nil else { throw StoreError.notOpen }
                return try FoundDocument.find(id, by: try FoundDocument.query(collection, in: db))
            }
        }
    }

    /// Whether a write of this thread is under way, whose changes only its own connection sees.
    var isWriting: Bool { writer.isOnThisThread }

    /// A collection with its counters; inside a write of this thread, with its changes. `nil` if it is deleted.
    func record(of collection: Int64) throws -> CollectionRecord? {
        try read { db in
            // Connections of the pool that only read are not on the writer's queue.
            guard !db.configuration.readonly, let current = writer.transaction(db) else {
                return try CollectionCatalog.find(collection, db)
            }
            return try current.record(of: collection)
        }
    }

    // MARK: Writing

    /// Runs `body` in a transaction, or in a savepoint of the one that is open on this thread.
    ///
    /// - Parameter wanted: the durability that is enough here; the configuration may want more or less.
    func write<Value>(
        _ wanted: Synchronous = .full, purpose: Purpose = .saving, body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try write(wanted, purpose: purpose, inOneStatement: { _ in nil }, otherwise: body)
    }

    /// Writes by one statement, if that is enough: a savepoint around it takes longer than the statement.
    ///
    /// - Parameters:
    ///   - statement: changes the database by its last statement alone, which SQLite takes back by itself when it fails.
    ///     Returns `nil` where more has to be done; then nothing is changed.
    ///   - body: does it then.
    func write<Value>(
        _ wanted: Synchronous = .full, purpose: Purpose = .saving,
        inOneStatement statement: (WriteTransaction) throws -> Value?,
        otherwise body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        // A thread that is in a transaction has the writer's connection: the pool is not asked for each document of a batch.
        if let current = writer.ofThisThread {
            return try translatingErrors(path: path) { try current.part(inOneStatement: statement, otherwise: body) }
        }
        return try gate.call {
            do {
                return try transact(wanted, purpose: purpose, inOneStatement: statement, otherwise: body)
            } catch let error as StoreError where error.code == .diskFull {
                complete(otherwise: "What could not be stored takes room in the log") { try truncateLog() }
                throw error
            }
        }
    }

    private func transact<Value>(
        _ wanted: Synchronous, purpose: Purpose, inOneStatement statement: (WriteTransaction) throws -> Value?,
        otherwise body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        var committed: CommittedWrite?
        let result = try translatingErrors(path: path) {
            try pool.unsafeReentrantWrite { db in
                if let current = writer.transaction(db) {
                    return try current.part(inOneStatement: statement, otherwise: body)
                }
                guard !db.hasLostItsFile else { throw StoreError.lostFolder(folder.url.path) }
                try writer.ensure(synchronous(for: wanted), db)
                let transaction = WriteTransaction(db)
                var copiesLog = false
                let result = try writer.run(transaction) { transaction in
                    let result = try statement(transaction) ?? body(transaction)
                    if purpose == .saving { copiesLog = try room.checkLog(db) }
                    return result
                }
                committed = CommittedWrite(transaction, copiesLog: copiesLog)
                return result
            }
        }
        if let committed { finish(committed) }
        return result
    }

    /// Reports a commit, and does the work that follows it.
    private func finish(_ committed: CommittedWrite) {
        commitHandler.withLock { $0 }?.call()
        if committed.hasNewExpiration { expirationHandler.withLock { $0 }?.call() }
        if committed.copiesLog { complete(otherwise: "The log is copied later") { try copyLog() } }
        room.completeReserve()
        complete(otherwise: "Blobs that nothing refers to stay until the next compaction") {
            try removeBlobs(committed.releasedBlobs)
        }
        guard committed.hasPurged else { return }
        complete(otherwise: "Purged documents are in the log of the database until it is emptied") { try truncateLog() }
        planRemovalOfLeftovers()
    }

    /// The work after a commit. The transaction is stored: an error here must not look like a failed transaction.
    private func complete(otherwise consequence: String, _ body: () throws -> Void) {
        do { try body() } catch {
            LibraryLog.database.warning("\(consequence), in \(path): \(error)")
        }
    }

    private func synchronous(for wanted: Synchronous) -> Synchronous {
        switch durability {
        case .deferred: .normal
        case .immediate: wanted
        case .full: .full
        }
    }

    /// Removes blobs that lost their last reference, unless there is a new one by now: the check and the removal happen
    /// while no process can write. Where the storage is locked, it is noted that they are to be removed.
    private func removeBlobs(_ candidates: Set<BlobDigest>) throws {
        guard !candidates.isEmpty else { return }
        try openBlobs()
        try write(.normal) { transaction in
            if case .locked = blobs.access { return try ReleasedBlobs(transaction.db).note(candidates) }
            do { try remove(candidates, transaction) } catch let error as StoreError
                where error.code == .wrongPassphrase
            {
                try ReleasedBlobs(transaction.db).note(candidates)
            }
        }
    }

    /// Has a storage that makes its key on request make it now: that takes half a second, for which a transaction would keep
    /// others from writing.
    func openBlobs() throws {
        guard case .onRequest = blobs.access else { return }
        do {
            _ = try blobs.contains(BlobDigest(of: []))
        } catch let error as StoreError where error.code == .wrongPassphrase {
            // The storage is locked from then on, which its caller looks at.
            return
        }
    }

    private func remove(_ candidates: Set<BlobDigest>, _ transaction: WriteTransaction) throws {
        for name in candidates where try !transaction.blobReferences.isReferenced(name) {
            try blobs.remove(name)
        }
    }

    /// Removes those that lost their last reference while the storage was locked, if it is open now.
    func removeReleasedBlobs() {
        guard case .open = blobs.access else { return }
        complete(otherwise: "Blobs that nothing refers to stay until the next opening") {
            try write(.normal) { transaction in
                let released = ReleasedBlobs(transaction.db)
                try remove(try released.all(), transaction)
                try released.forget()
            }
        }
    }

    // MARK: Maintenance and closing

    /// Runs `body` on the writer's connection outside any transaction, for statements that SQLite does not allow inside
    /// one.
    func withoutTransaction<Value>(_ body: (GRDB.Database) throws -> Value) throws -> Value {
        try gate.call {
            try translatingErrors(path: path) {
                try pool.unsafeReentrantWrite { db in
                    try writer.checkIsOutsideOfTransaction(db)
                    return try body(db)
                }
            }
        }
    }

    /// For calls that are not allowed inside `inBatch`, such as the removal of files that a batch may bring back.
    func checkIsOutsideOfBatch() throws { try withoutTransaction { _ in } }

    /// Copies the log into the file and empties it, so that purged content does not stay in it. A reader that prevents
    /// it is no error, nor is a full disk: the content of the log is stored already, and the next checkpoint copies it.
    func truncateLog(timeout: Int = StoreLimits.checkpointTimeout) throws {
        try withoutTransaction { db in
            do {
                _ = try db.emptyLog(timeout: timeout, busyTimeout: Int(StoreLimits.busyTimeout * 1000))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                LibraryLog.database.info("The disk is full: the log of \(path) stays as it is")
            }
        }
    }

    /// Copies the log into the file while the disk has room for it.
    private func copyLog() throws { try withoutTransaction { try $0.copyLog() } }

    /// Whether the file was moved or deleted.
    var hasLostItsFile: Bool { get throws { try withoutTransaction { $0.hasLostItsFile } } }

    /// Whether no other process, and no other object of this one, has the database open. The caller holds the lock for opening.
    func isOpenHereAlone() throws -> Bool {
        do throws(FileLockError) { return try useLock.isHeldHereAlone() } catch {
            throw StoreError.posix(error.code, message: "The folder cannot be locked.", file: folder.useLock)
        }
    }

    /// Closes all connections when no call is under way. The log is copied into the file first, unless another process prevents
    /// it: the pool closes its connections for reading last, and these cannot do it.
    ///
    /// - Parameter refusal: the error of all calls from then on.
    /// - Throws: `.invalidParameter` inside a transaction, `.busy` inside another call. Where it throws, calls go on.
    func close(refusing refusal: StoreError = .notOpen) throws {
        guard !writer.isOnThisThread else { throw StoreError.insideBatch }
        try gate.close(refusing: refusal, interrupting: results.close) {
            do { try closeConnections() } catch {
                results.reopen()
                throw error
            }
        }
    }

    private func closeConnections() throws {
        removeLeftoversIfPossible()
        try truncateLog(timeout: 0)
        lookups.close()
        try translatingErrors(path: path) { try pool.close() }
        keyed?.end()
        useLock.release()
        // The log is gone, so there is room again for the reserve.
        if FileManager.default.fileExists(atPath: path) { room.refillReserve() }
    }
}

/// The work after a transaction, without the transaction itself: its tables hold statements, and a connection with statements
/// cannot be closed.
private struct CommittedWrite {
    let releasedBlobs: Set<BlobDigest>
    let hasPurged: Bool
    let hasNewExpiration: Bool
    let copiesLog: Bool

    init(_ transaction: WriteTransaction, copiesLog: Bool) {
        self.copiesLog = copiesLog
        releasedBlobs = transaction.releasedBlobs
        hasPurged = transaction.hasPurged
        hasNewExpiration = transaction.hasNewExpiration
    }
}

/// The identity of a database, which no other one has.
struct DatabaseIdentity: Sendable, Hashable {
    let privateUUID: [UInt8]
    let publicUUID: [UInt8]
    /// How its blobs are kept, as it is stored.
    let blobStorage: String
}
