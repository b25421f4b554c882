import GRDB
import Glibc
import SQLiteStorage
import Synchronization

/// The state of the connection that writes.
// Unchecked, since it is used on the connection's queue only: the calls have the connection as an argument, and check that.
final class WriterState: @unchecked Sendable {
    private var current: WriteTransaction?
    private var synchronous: StoreCore.Synchronous?
    /// The thread that is in a transaction; 0 for none.
    private let thread = Atomic<UInt>(0)

    /// Whether the calling thread is in a transaction, so that only the writer's connection sees its changes.
    var isOnThisThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// The transaction that the calling thread is in. The thread is on the connection's queue then.
    var ofThisThread: WriteTransaction? { isOnThisThread ? current : nil }

    /// The open transaction.
    func transaction(_ db: GRDB.Database) -> WriteTransaction? {
        db.preconditionOnQueue()
        return current
    }

    /// Runs a transaction, which is the open one for that time.
    func run<Value>(_ transaction: WriteTransaction, body: (WriteTransaction) throws -> Value) throws -> Value {
        transaction.db.preconditionOnQueue()
        current = transaction
        thread.store(pthread_self(), ordering: .relaxed)
        defer {
            current = nil
            thread.store(0, ordering: .relaxed)
        }
        return try transaction.run(body)
    }

    /// `PRAGMA synchronous` cannot change inside a transaction; the pool itself sets NORMAL when it opens.
    func ensure(_ wanted: StoreCore.Synchronous, _ db: GRDB.Database) throws {
        db.preconditionOnQueue()
        guard synchronous != wanted else { return }
        try db.execute(sql: "PRAGMA synchronous = \(wanted.rawValue)")
        synchronous = wanted
    }

    /// - Throws: `.invalidParameter` in a transaction, for statements that SQLite does not allow inside one.
    func checkIsOutsideOfTransaction(_ db: GRDB.Database) throws {
        db.preconditionOnQueue()
        guard current == nil else { throw StoreError.insideBatch }
    }
}
