import Dispatch
import Foundation
import GRDB
import Logging
import SQLiteStorage
import Synchronization

/// Gives space of the file and its log back to the disk, and keeps the reserve.
extension SQLiteStore: StoreUpkeep {
    var missingReserve: Int { reserve.missing }

    func onChangeOfReserve(_ report: @escaping @Sendable (_ missing: Int) -> Void) { reserve.onChange(report) }

    /// Fills the reserve again if the disk had no room for it before. It runs on the writer's queue, where the reserve
    /// is also used.
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
    /// - Throws: 507 if they do not suffice; then the copy is not even begun, since a part of it would fill the disk.
    func giveBackFreePages(freeSpace: @Sendable @escaping (_ folder: String) -> Int?) async throws {
        try await onQueue {
            let copy = try self.withWriter { try CompactedCopy($0) }
            guard copy.saved >= GatewayLimits.freeBytesWorthVacuum else { return }
            let margin = self.reserve.missing + GatewayLimits.spareSpace
            try copy.checkRoom(in: self.folder, margin: margin, freeSpace: freeSpace)
            // If the attempt runs out of room after all, its pages are still in the log, which stays that long.
            self.logIsToBeEmptied.withLock { $0 = true }
            let writing = Result { try self.withWriter(Self.vacuum) }
            let emptying = Result { try self.emptyLog() }
            try writing.get()
            try emptying.get()
        }
    }

    /// Runs `body` on the writer's queue, so that no thread of Swift's waits for it.
    func onQueue<Value: Sendable>(_ body: @Sendable @escaping () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.damage.noting(body) }) }
        }
    }

    private static func vacuum(_ db: Database) throws {
        // The copy may be as large as the database, too large for the memory.
        try db.execute(sql: "PRAGMA temp_store = FILE")
        let vacuum = Result { try db.vacuuming { try db.execute(sql: "VACUUM") } }
        let resetting = Result { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        try vacuum.get()
        try resetting.get()
    }

    /// Runs `body` as `write` does, and returns when the erased bytes are not in the log either.
    ///
    /// If a reader still uses an older state, or the log cannot be emptied, the log is emptied later, by housekeeping at
    /// the latest. The erasure itself succeeds all the same.
    func erase<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        let value = try await write(as: terms, body)
        logIsToBeEmptied.withLock { $0 = true }
        do { try await emptyLogIfDue() } catch {
            disk.note(error)
            logger.warning(
                "Erased data are still in the write-ahead log of the database; housekeeping empties it",
                metadata: ["file": "\(folder)", "error": "\(GatewayError(error))"])
        }
        return value
    }

    /// If writes find no room, housekeeping and compaction also empty the log. That may use the reserve for a moment: the
    /// database's file grows first, by no more than the log gives back.
    ///
    /// - Returns: the bytes that the disk lacks for that beside the reserve; if there are any, the log stays as it is.
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

    /// Writes the content of the log to the database, and truncates the log.
    ///
    /// That may have to wait for readers, and it occupies the writer: so it is done once for all callers that come
    /// before it begins.
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
        let result = Result { try damage.noting(emptyLog) }
        for continuation in all { continuation.resume(with: result) }
    }

    private func emptyLog() throws {
        // An earlier call may have done it for all.
        guard logIsToBeEmptied.withLock({ $0 }) else { return }
        let isDone: Bool
        do { isDone = try tryToEmptyLog() } catch  where StorageFailure.isFullDisk(error) {
            // With a reserve that is too small, the space would go to the database, and the log would stay as long as
            // it is.
            guard try growthOfFile() <= lendable else { throw error }
            isDone = try reserve.lendOnFullDisk(tryToEmptyLog)
        }
        if isDone { logIsToBeEmptied.withLock { $0 = false } }
    }

    /// False if a reader still uses an older state.
    private func tryToEmptyLog() throws -> Bool {
        try withWriter { db in
            try db.emptyLog(timeout: GatewayLimits.logReaders, busyTimeout: GatewayLimits.busyTimeout)
        }
    }

    /// Bytes by which the database's file grows when it gets the content of the log.
    private func growthOfFile() throws -> Int {
        let whole = try withWriter { db in
            try ["page_count", "page_size"].reduce(1) { try $0 * (Int.fetchOne(db, sql: "PRAGMA \($1)") ?? 0) }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: pool.path)
        return max(0, whole - (attributes[.size] as? Int ?? 0))
    }
}
