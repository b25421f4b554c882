import Dispatch
import Foundation
import GRDB
import Logging
import SQLiteStorage
import Synchronization

/// What the file and its log give back to the disk, and what is set aside of it.
extension SQLiteStore {
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
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        let value = try await write(as: terms, body)
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
}
