import DatabaseMigrations
import Dispatch
import Foundation
import GRDB
import Synchronization

/// The SQLite file of one gateway database: readers in parallel, one writer whose commits are durable.
///
/// Writes that wait at the same time share a transaction and its fsync.
package final class GatewayStore: Sendable {
    private let pool: DatabasePool
    private let queue: DispatchQueue
    private let pending = Mutex<[PendingWrite]>([])

    /// A write that waits for its turn; `run` stores its result, `finish` hands it on after the commit.
    private struct PendingWrite: Sendable {
        let run: @Sendable (Database) -> Void
        let finish: @Sendable ((any Error)?) -> Void
    }

    package init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 6
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        queue = DispatchQueue(label: "gateway.store", qos: .userInitiated)
        try pool.writeWithoutTransaction { db in
            // The pool sets NORMAL by itself; an acknowledged write has to outlive a loss of power.
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000")
        }
        var migrator = DatabaseMigrator()
        for migration in DatabaseMigrations.gateway {
            migrator.registerMigration(migration.name) { db in try db.execute(sql: migration.sql) }
        }
        try migrator.migrate(pool)
    }

    package func close() throws { try pool.close() }

    package func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    /// For callers that are on a thread of their own.
    package func blockingRead<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.read(body) }

    /// Runs `body` in a transaction and returns when it is durable. A throw undoes what this body did, and only that.
    package func write<Value: Sendable>(
        _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = ResultBox<Value>()
            enqueue(
                PendingWrite(
                    run: { db in result.run(in: db) { try body(db) } },
                    finish: { error in continuation.resume(with: result.take(or: error)) }))
        }
    }

    private func enqueue(_ write: PendingWrite) {
        let isFirst = pending.withLock { writes in
            writes.append(write)
            return writes.count == 1
        }
        if isFirst { queue.async { self.drain() } }
    }

    private func drain() {
        let writes = pending.withLock { writes in
            let taken = Array(writes.prefix(GatewayLimits.groupCommit))
            writes.removeFirst(taken.count)
            return taken
        }
        guard !writes.isEmpty else { return }
        var failure: (any Error)?
        do {
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    for write in writes { write.run(db) }
                    return .commit
                }
            }
        } catch {
            failure = error
        }
        for write in writes { write.finish(failure) }
        if pending.withLock({ !$0.isEmpty }) { queue.async { self.drain() } }
    }
}

/// Carries a write's result from the transaction to the end of the commit.
private final class ResultBox<Value: Sendable>: Sendable {
    private let stored = Mutex<Result<Value, any Error>?>(nil)

    /// Runs the body in a savepoint, so that its failure leaves the others' work alone.
    func run(in db: Database, _ body: () throws -> Value) {
        var value: Value?
        do {
            try db.inSavepoint {
                value = try body()
                return .commit
            }
        } catch {
            stored.withLock { $0 = .failure(error) }
            return
        }
        if let value { stored.withLock { $0 = .success(value) } }
    }

    func take(or error: (any Error)?) -> Result<Value, any Error> {
        if let error { return .failure(error) }
        return stored.withLock { $0 } ?? .failure(GatewayError(500, "A write ended without a result"))
    }
}
