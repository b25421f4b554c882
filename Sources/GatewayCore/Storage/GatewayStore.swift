import DatabaseMigrations
import Dispatch
import DocumentValues
import Foundation
import GRDB
import Glibc
import Logging
import SQLiteStorage
import Synchronization

/// The SQLite file of one gateway database: readers in parallel, one writer whose commits are durable.
///
/// Writes that wait at the same time share a transaction and its fsync, as far as it does not get long.
final class GatewayStore: Sendable {
    private let pool: DatabasePool
    /// Reads where the caller is. Not one of the pool's readers: these may only be waited for where nothing waits for
    /// the waiting thread, and tasks share few threads.
    private let reader: DatabaseQueue
    private let queue: DispatchQueue
    /// Where the file lies.
    let folder: String
    /// Whether writes find room.
    let disk = DiskSpace()
    /// Whether its file is whole, as far as anybody has read it.
    let damage = FileDamage()
    /// What is left for those who make room or revoke.
    let reserve: StoreReserve
    private let shortage: DiskShortage
    /// Writes attachments on their way in.
    let files = DispatchQueue(label: "gateway.files", qos: .userInitiated)
    private let waiting = Mutex(WriteTurns<WaitingWrite>(credit: GatewayLimits.workOfTurn))
    /// Looked at on the connections' own queues: SQLite reads through the pointer of a connection that is closed.
    private let isOpen = Mutex(true)
    /// Whether something was erased whose bytes are still in the log.
    private let logIsToBeEmptied = Mutex(false)
    private let waitingForEmptyLog = Mutex<[CheckedContinuation<Void, any Error>]>([])
    private let turns = AccountLine(limit: GatewayLimits.readsOfAccount)
    private let logger: Logger
    /// What the commits change.
    let commits: CommitEvents

    /// A write that waits for its turn; `run` keeps its result, `finish` hands it on after the commit.
    private struct WaitingWrite: Sendable {
        /// Returns why it failed, if it did.
        let run: @Sendable (WriteTransaction) -> (any Error)?
        let finish: @Sendable ((any Error)?) -> Void
    }

    /// - Parameter shortage: of the disk that all databases share.
    init(path: String, shortage: DiskShortage = DiskShortage(), logger: Logger) throws {
        folder = (path as NSString).deletingLastPathComponent
        try Self.makePrivate(path)
        try StagedAttachment.removeLeftovers(in: folder)
        self.shortage = shortage
        reserve = StoreReserve(path: path, shortage: shortage)
        queue = DispatchQueue(label: "gateway.store", qos: .userInitiated)
        self.logger = logger
        // Opening writes the log's index, so a start on a full disk needs some of the reserve.
        (pool, reader) = try reserve.lend { try Self.open(path) }
        try Self.checkSize(of: path, in: pool)
        commits = CommitEvents(
            after: try pool.read { try StoreReader(db: $0).properties.number(.lastSequence) })
    }

    private static func open(_ path: String) throws -> (DatabasePool, reader: DatabaseQueue) {
        let pool = try connections.pool(path)
        do { try Schema(DatabaseMigrations.gateway).migrate(pool) } catch is NewerSchema {
            throw GatewayError.newerDatabase(path)
        }
        try pool.writeWithoutTransaction { db in
            // The pool sets NORMAL by itself; an acknowledged write has to outlive a loss of power.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try set(.usual, in: db)
            // A large attachment makes the log as large as itself; afterwards the disk gets that back.
            try db.execute(sql: "PRAGMA journal_size_limit = \(GatewayLimits.logSize)")
        }
        return (pool, try connections.reader(path))
    }

    /// A file that was cut off opens well, and fails where somebody reads what is missing. What the log still has is not
    /// missing.
    private static func checkSize(of path: String, in pool: DatabasePool) throws {
        // One that cannot be looked at is not short.
        func size(_ path: String) throws -> Int {
            var status = stat()
            if stat(path, &status) == 0 { return Int(status.st_size) }
            let code = errno
            guard code == ENOENT else {
                throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(code)))
            }
            return 0
        }
        let (pages, page) = try pool.read { db in
            (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        guard try size(path) + size(path + "-wal") < pages * page else { return }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it is shorter than it says")
    }

    private static let connections = ConnectionSettings(
        busyTimeout: TimeInterval(GatewayLimits.busyTimeout) / 1_000, readers: GatewayLimits.readers,
        pragmas: ["cache_size = -4000", "temp_store = MEMORY"])

    /// Only the gateway's account reads the file, also where it is copied out of its folder. SQLite gives the files
    /// beside it the same permissions.
    private static func makePrivate(_ path: String) throws {
        let files = FileManager.default
        if !files.fileExists(atPath: path) {
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw GatewayError(500, reason: "The database file cannot be made")
            }
        }
        for file in ["", "-wal", "-shm"].map({ path + $0 }) where files.fileExists(atPath: file) {
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    /// Waits for those who read or write. Later ones get 503.
    func close() throws {
        isOpen.withLock { $0 = false }
        reserve.end()
        try reader.close()
        try pool.close()
    }

    private func checkIsOpen() throws {
        guard isOpen.withLock({ $0 }) else { throw GatewayError.underMaintenance }
    }

    private func withWriter<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { db in
            try checkIsOpen()
            return try body(db)
        }
    }

    /// Reads one state of the store.
    func read<Value: Sendable>(_ body: @Sendable @escaping (StoreReader) throws -> Value) async throws -> Value {
        try checkIsOpen()
        return try await pool.read { [damage] db in try damage.noting { try body(StoreReader(db: db)) } }
    }

    /// Reads one state of the store for somebody: of one account a few at a time, so that what one reads keeps no others from
    /// the readers.
    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (StoreReader) throws -> Value
    ) async throws -> Value {
        try await turns.run(of: account) { try await read(body) }
    }

    /// The same; what is little on the calling thread, since two changes of threads take ten times as long as reading it.
    ///
    /// - Parameter bytes: how many `body` will read.
    func read<Value: Sendable>(
        for account: Name, bytes: (StoreReader) throws -> Int,
        _ body: @Sendable @escaping (StoreReader) throws -> Value
    ) async throws -> Value {
        let little = try readInPlace { store -> Value? in
            guard try bytes(store) <= GatewayLimits.bytesReadInPlace else { return nil }
            return .some(try body(store))
        }
        if let little { return little }
        return try await read(for: account, body)
    }

    /// Reads a few small rows on the calling thread, of which there is one a core for everybody's requests.
    func readInPlace<Value>(_ body: (StoreReader) throws -> Value) throws -> Value {
        try reader.unsafeRead { db in
            try checkIsOpen()
            return try damage.noting { try db.reading { try body(StoreReader(db: db)) } }
        }
    }

    /// For single rows on an event loop.
    func blockingRead<Value>(_ body: (StoreReader) throws -> Value) throws -> Value {
        try checkIsOpen()
        // The store may be closed by another thread before the connection is had; with the connection it cannot be.
        return try pool.unsafeRead { db in
            try checkIsOpen()
            return try damage.noting { try db.reading { try body(StoreReader(db: db)) } }
        }
    }

    /// Runs `body` in a transaction and returns when it is durable. A throw undoes what this body did, and only that.
    ///
    /// - Parameters:
    ///   - account: whose write it is; accounts take turns. Administrators' and the gateway's own are one.
    ///   - work: how long it keeps the writer, in rows.
    ///   - mayUseReserve: where the disk is full, `body` runs once more with the space that is kept for it.
    func write<Value: Sendable>(
        for account: Name = Requester.admin.account, work: Int = 1, mayUseReserve: Bool = false,
        _ body: @Sendable @escaping (WriteTransaction) throws -> Value
    ) async throws -> Value {
        if !mayUseReserve { try await checkRoom() }
        do { return try await attempt(body) { enqueue($0, for: account, work: work) } } catch
            where mayUseReserve && StorageFailure.isFullDisk(error)
        {
            return try await attempt(body) { write in
                queue.async { self.finish([write], by: self.commitFromReserve) }
            }
        }
    }

    /// 503 where what is still free is for those who make room or revoke.
    func checkRoom() async throws {
        guard shortage.isAny else { return }
        await completeReserve()
        guard shortage.isAny else { return }
        disk.note(GatewayError.diskFull)
        throw GatewayError.diskFull
    }

    private func attempt<Value: Sendable>(
        _ body: @Sendable @escaping (WriteTransaction) throws -> Value, by start: (WaitingWrite) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = ResultBox<Value>()
            start(
                WaitingWrite(
                    run: { transaction in result.run(in: transaction) { try body(transaction) } },
                    finish: { [disk, damage] error in
                        let outcome = result.take(or: error)
                        if case .failure(let failure) = outcome {
                            disk.note(failure)
                            damage.note(failure)
                        }
                        continuation.resume(with: outcome)
                    }))
        }
    }

    /// The log stays as it is: what it has would take all of the reserve, and leave nothing for who comes next.
    private func commitFromReserve(_ writes: [WaitingWrite]) throws -> CommitEffects {
        // On the writer's queue, so that no other write of this database takes the space first.
        try reserve.lendOnFullDisk {
            try withWriter { try Self.set(.off, in: $0) }
            defer { setUsualCheckpoint() }
            return try commit(writes)
        }
    }

    /// What is committed is committed: an error here is not the error of a write.
    private func setUsualCheckpoint() {
        do { try withWriter { try Self.set(.usual, in: $0) } } catch {
            logger.warning(
                "The log beside the database may grow until the next start",
                metadata: ["file": "\(folder)", "error": "\(GatewayError(error))"])
        }
    }

    /// When a commit brings what the log has to the database.
    private enum AutomaticCheckpoint {
        case off
        /// When the log has `GatewayLimits.logPages`.
        case usual
    }

    private static func set(_ checkpoint: AutomaticCheckpoint, in db: Database) throws {
        let pages =
            switch checkpoint {
            case .off: 0
            case .usual: GatewayLimits.logPages
            }
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
    }

    /// Sets the reserve aside again where the disk had no room for it, on the writer's queue as its use is.
    func completeReserve() async {
        guard reserve.missing > 0 else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.reserve.complete()
                continuation.resume()
            }
        }
    }

    /// Writes the file again without its free pages, if that is worth it. Writes wait for it; reads do not.
    ///
    /// - Parameter freeSpace: bytes that the disk of a folder has left.
    /// - Throws: 507 where they do not suffice; then nothing was tried, since a half of the copy would fill the disk.
    func giveBackFreePages(freeSpace: @Sendable @escaping (_ folder: String) -> Int?) async throws {
        try await onQueue {
            let copy = try self.withWriter { try CompactedCopy($0) }
            guard copy.saved >= GatewayLimits.freeBytesWorthVacuum else { return }
            let margin = self.reserve.missing + GatewayLimits.spareSpace
            try copy.checkRoom(in: self.folder, margin: margin, freeSpace: freeSpace)
            // An attempt that finds no room after all leaves its pages in the log, and the log as long as they are.
            self.logIsToBeEmptied.withLock { $0 = true }
            let writing = Result { try self.withWriter(Self.vacuum) }
            let emptying = Result { try self.emptyLog() }
            try writing.get()
            try emptying.get()
        }
    }

    private func onQueue<Value: Sendable>(_ body: @Sendable @escaping () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    private static func vacuum(_ db: Database) throws {
        // The copy may be as large as the database: not in memory.
        try db.execute(sql: "PRAGMA temp_store = FILE")
        let vacuum = Result { try db.execute(sql: "VACUUM") }
        try db.execute(sql: "PRAGMA temp_store = MEMORY")
        try vacuum.get()
    }

    /// Runs `body` as `write` does, and returns when the log does not have what it erased either.
    ///
    /// Where somebody reads an older state, or the log cannot be emptied, that waits for the next time, of housekeeping at
    /// the latest: what is erased is erased.
    func erase<Value: Sendable>(
        for account: Name = Requester.admin.account, mayUseReserve: Bool = false,
        _ body: @Sendable @escaping (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let value = try await write(for: account, mayUseReserve: mayUseReserve, body)
        logIsToBeEmptied.withLock { $0 = true }
        do { try await emptyLogIfDue() } catch {
            disk.note(error)
            logger.warning(
                "What was erased is still in the log beside the database; housekeeping empties it",
                metadata: ["file": "\(folder)", "error": "\(GatewayError(error))"])
        }
        return value
    }

    /// Where writes find no room, housekeeping and compaction also give the disk back what the log has, with the reserve for
    /// as long as it takes: the log has at least as much as the database's file grows by.
    ///
    /// - Returns: bytes that the disk lacks for it beside the reserve; then the log stays as it is.
    func emptyLogIfDiskIsFull() async throws -> Int {
        guard disk.isFull else { return 0 }
        return try await onQueue {
            let lacking = try self.growthOfFile() - self.lendable
            guard lacking <= 0 else { return lacking }
            self.logIsToBeEmptied.withLock { $0 = true }
            try self.emptyLog()
            return 0
        }
    }

    /// Bytes that the reserve has.
    private var lendable: Int { GatewayLimits.diskReserve - reserve.missing }

    /// Writes what the log has to the database, and cuts it off.
    ///
    /// That may wait for readers, and keeps the writer: it is done once for all who ask before it begins.
    func emptyLogIfDue() async throws {
        guard logIsToBeEmptied.withLock({ $0 }) else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isFirst = waitingForEmptyLog.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            if isFirst { queue.async { self.emptyLogForAll() } }
        }
    }

    private func emptyLogForAll() {
        let all = waitingForEmptyLog.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let result = Result { try emptyLog() }
        for continuation in all { continuation.resume(with: result) }
    }

    private func emptyLog() throws {
        // Anybody who came before may have done it for all.
        guard logIsToBeEmptied.withLock({ $0 }) else { return }
        let isDone: Bool
        do { isDone = try tryToEmptyLog() } catch  where StorageFailure.isFullDisk(error) {
            // With less than it takes, the space would be in the database, and the log as long as it was.
            guard try growthOfFile() <= lendable else { throw error }
            isDone = try reserve.lendOnFullDisk(tryToEmptyLog)
        }
        if isDone { logIsToBeEmptied.withLock { $0 = false } }
    }

    /// False where somebody still reads an older state.
    private func tryToEmptyLog() throws -> Bool {
        try withWriter { db in
            try db.emptyLog(timeout: GatewayLimits.logReaders, busyTimeout: GatewayLimits.busyTimeout)
        }
    }

    /// Bytes by which the database's file grows when it gets what the log has.
    private func growthOfFile() throws -> Int {
        let whole = try withWriter { db in
            try ["page_count", "page_size"].reduce(1) { try $0 * (Int.fetchOne(db, sql: "PRAGMA \($1)") ?? 0) }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: pool.path)
        return max(0, whole - (attributes[.size] as? Int ?? 0))
    }

    /// Writes whose transaction has not begun.
    var waitingWrites: Int { waiting.withLock { $0.count } }

    private func enqueue(_ write: WaitingWrite, for account: Name, work: Int) {
        let isFirst = waiting.withLock { writes in
            defer { writes.append(write, of: account, work: work) }
            return writes.isEmpty
        }
        if isFirst { queue.async { self.commitWaiting() } }
    }

    private func commitWaiting() {
        let (writes, areMore) = waiting.withLock { writes in
            (writes.take(count: GatewayLimits.groupCommit, work: GatewayLimits.workOfCommit), !writes.isEmpty)
        }
        // What comes from now on waits for the next turn of this queue.
        if areMore { queue.async { self.commitWaiting() } }
        if !writes.isEmpty { finish(writes, by: commit) }
    }

    private func finish(_ writes: [WaitingWrite], by commit: ([WaitingWrite]) throws -> CommitEffects) {
        do {
            commits.append(try commit(writes))
            disk.noteSuccess()
            for write in writes { write.finish(nil) }
        } catch {
            for write in writes { write.finish(error) }
        }
    }

    private func commit(_ writes: [WaitingWrite]) throws -> CommitEffects {
        try withWriter { db in
            try db.writing {
                let transaction = try WriteTransaction(db)
                for write in writes {
                    let failure = write.run(transaction)
                    // Where the disk is full in the middle of a statement, SQLite undoes the transaction of all of them.
                    if let failure, !db.isInsideTransaction { throw failure }
                }
                try transaction.finish()
                return transaction.committed
            }
        }
    }
}

/// Carries a write's result from the transaction to the end of the commit.
private final class ResultBox<Value: Sendable>: Sendable {
    private let stored = Mutex<Result<Value, any Error>?>(nil)

    /// Returns the error, too.
    func run(in transaction: WriteTransaction, _ body: () throws -> Value) -> (any Error)? {
        let result = Result { try transaction.runWrite(body) }
        stored.withLock { $0 = result }
        switch result {
        case .success: return nil
        case .failure(let error): return error
        }
    }

    func take(or error: (any Error)?) -> Result<Value, any Error> {
        if let error { return .failure(error) }
        return stored.withLock { $0 } ?? .failure(GatewayError(500, reason: "A write ended without a result"))
    }
}
