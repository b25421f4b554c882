import GRDB
import GRDBSQLite
import Synchronization

/// Ends a statement from another thread, or when its time is over, even while SQLite looks for the next row.
final class Interruption: Sendable {
    private let isAsked = Atomic(false)
    /// Whether a statement was made to end. It may have returned rows all the same, which are of no use then.
    private let hasEnded = Atomic(false)
    /// The error that is thrown then.
    private let cause = Mutex<(any Error)?>(nil)
    /// When the present work has to be done.
    private let deadline = Mutex<ContinuousClock.Instant?>(nil)
    /// The rest of the limit.
    private let rest: Mutex<Duration?>
    private let limit: Duration?

    /// - Parameter limit: for all work that is watched, together.
    init(limit: Duration?) {
        self.limit = limit
        rest = Mutex(limit)
    }

    /// At any time: work that has not begun yet ends as soon as it begins. (`sqlite3_interrupt` has no effect then.)
    func ask(because error: any Error) {
        cause.withLock { $0 = $0 ?? error }
        isAsked.store(true, ordering: .releasing)
    }

    /// Runs statements of the connection, one piece of work at a time.
    ///
    /// - Throws: the error that it was asked with; `.timedOut` when the time is over.
    func watch<Value>(_ db: GRDB.Database, body: () throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        let end = rest.withLock { $0.map { start + $0 } }
        deadline.withLock { $0 = end }
        sqlite3_progress_handler(
            db.sqliteConnection, StoreLimits.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isDue ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
            let taken = start.duration(to: .now)
            rest.withLock { $0 = $0.map { $0 - taken } }
        }
        do {
            let value = try ConnectionWork.watch(db, isOver: { [self] in isDue }, body: body)
            guard !hasEnded.load(ordering: .relaxed) else { throw reason }
            return value
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw reason
        }
    }

    /// Once it is true it stays so.
    private var isDue: Bool {
        if hasEnded.load(ordering: .relaxed) { return true }
        let isOver = deadline.withLock { $0 }.map { $0 < .now } ?? false
        guard isOver || isAsked.load(ordering: .relaxed) else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }

    private var reason: any Error {
        if let cause = cause.withLock({ $0 }) { return cause }
        return StoreError(
            .timedOut, message: "The query takes longer than its limit of \(limit ?? .zero).",
            hint: "Make an index, or read less.")
    }
}
