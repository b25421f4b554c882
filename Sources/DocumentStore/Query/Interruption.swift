import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Ends a statement from another thread, or when its time is over, however long SQLite looks for the next row.
final class Interruption: Sendable {
    private let isAsked = Atomic(false)
    /// When the work that is under way has to be over, in nanoseconds of the machine's clock.
    private let deadline = Atomic<UInt64>(.max)
    /// Nanoseconds that are left; `nil` without a limit.
    private let rest: Mutex<UInt64?>
    private let limit: Double?

    /// - Parameter limit: seconds for all that is watched, together.
    init(limit: Double?) {
        self.limit = limit
        rest = Mutex(limit.map { UInt64(min(max(0, $0), Interruption.longest) * 1e9) })
    }

    /// A hundred years, which fit into nanoseconds.
    private static let longest = 3e9

    /// At any time: what has not begun yet ends when it does. (`sqlite3_interrupt` has no effect then.)
    func ask() { isAsked.store(true, ordering: .relaxed) }

    /// Runs statements of the connection, one piece of work at a time.
    ///
    /// - Throws: `CancellationError` once it was asked for; `.timeLimit` when the time is over.
    func watch<Value>(_ db: GRDB.Database, body: () throws -> Value) throws -> Value {
        let start = Self.now
        deadline.store(rest.withLock { $0.map { start + $0 } } ?? .max, ordering: .relaxed)
        sqlite3_progress_handler(
            db.sqliteConnection, StoreLimits.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isDue ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
            let taken = Self.now - start
            rest.withLock { $0 = $0.map { $0 - min($0, taken) } }
        }
        do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw reason
        }
    }

    private var isDue: Bool { isAsked.load(ordering: .relaxed) || Self.now > deadline.load(ordering: .relaxed) }

    private var reason: any Error {
        if isAsked.load(ordering: .relaxed) { return CancellationError() }
        return StoreError(
            .timeLimit, message: "The query took longer than it may.",
            context: limit.map { ["seconds": "\($0)"] } ?? [:],
            hint: "An index may make it faster; explain() shows how it runs.")
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
