import Dispatch
import GRDB
import Logging
import SQLiteStorage
import Synchronization

/// Runs writes in turns at the writer, several in one durable commit.
extension SQLiteStore {
    func write<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        if !terms.mayUseReserve { try await checkRoom() }
        do {
            // From here to the write's `use` nothing may suspend; see `LentConnection`.
            let write = WaitingWrite()
            enqueue(write, as: terms)
            return try await write.value(of: body)
        } catch  where terms.mayUseReserve && StorageFailure.isFullDisk(error) {
            let write = WaitingWrite()
            queue.async { self.finish([write], committing: self.commitFromReserve) }
            return try await write.value(of: body)
        }
    }

    func checkRoom() async throws {
        guard shortage.isAny else { return }
        await completeReserve()
        guard shortage.isAny else { return }
        disk.note(GatewayError.diskFull)
        damage.note(GatewayError.diskFull)
        throw GatewayError.diskFull
    }

    /// Without a checkpoint: the content of the log would take all of the reserve, and leave nothing for the next
    /// write.
    private func commitFromReserve(_ writes: [WaitingWrite]) throws -> CommitEffects {
        // On the writer's queue, so that no other write of this database takes the space first.
        try reserve.lendOnFullDisk {
            try withWriter { try Self.set(.off, in: $0) }
            defer { setUsualCheckpoint() }
            return try commit(writes)
        }
    }

    /// The writes are already committed: an error here is not theirs.
    private func setUsualCheckpoint() {
        do { try withWriter { try Self.set(.usual, in: $0) } } catch {
            logger.warning(
                "The write-ahead log of the database may grow until the next start",
                metadata: ["file": "\(folder)", "error": "\(GatewayError(error))"])
        }
    }

    /// When a commit also writes the content of the log to the database.
    enum AutomaticCheckpoint {
        case off
        /// When the log has `GatewayLimits.logPages`.
        case usual
    }

    static func set(_ checkpoint: AutomaticCheckpoint, in db: Database) throws {
        let pages =
            switch checkpoint {
            case .off: 0
            case .usual: GatewayLimits.logPages
            }
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
    }

    private func enqueue(_ write: WaitingWrite, as terms: WriteTerms) {
        let isFirst = waiting.withLock { writes in
            defer { writes.append(write, of: terms.account, work: terms.work) }
            return writes.isEmpty
        }
        if isFirst { queue.async { self.commitWaiting() } }
    }

    private func commitWaiting() {
        let (writes, areMore) = waiting.withLock { writes in
            (writes.take(count: GatewayLimits.groupCommit, work: GatewayLimits.workOfCommit), !writes.isEmpty)
        }
        // Later writes wait for the next turn of this queue.
        if areMore { queue.async { self.commitWaiting() } }
        if !writes.isEmpty { finish(writes, committing: commit) }
    }

    private func finish(_ writes: [WaitingWrite], committing: ([WaitingWrite]) throws -> CommitEffects) {
        var problem: (any Error)?
        do {
            commits.append(try committing(writes))
            disk.noteSuccess()
        } catch { problem = error }
        for write in writes {
            let failure = write.failure(or: problem)
            if let failure {
                disk.note(failure)
                damage.note(failure)
            }
            write.finish(failure)
        }
    }

    private func commit(_ writes: [WaitingWrite]) throws -> CommitEffects {
        try withWriter { db in
            try db.writing {
                let transaction = try SQLiteTransaction(db)
                for write in writes {
                    let failure = write.run(in: transaction)
                    // If the disk gets full within a statement, SQLite undoes the transaction of all these writes.
                    if let failure, !db.isInsideTransaction { throw failure }
                }
                try transaction.finish()
                return transaction.committed
            }
        }
    }
}
