import GRDB
import GRDBSQLite
import Synchronization

/// Ends a statement from another thread, however long SQLite looks for its next row.
final class Interruption: Sendable {
    private let isAsked = Atomic(false)

    /// At any time: what has not begun yet ends when it does. (`sqlite3_interrupt` has no effect then.)
    func ask() { isAsked.store(true, ordering: .relaxed) }

    /// What statements of the connection do in `body` fails with `SQLITE_INTERRUPT` once it was asked for.
    func watch<Value>(_ db: GRDB.Database, body: () throws -> Value) rethrows -> Value {
        sqlite3_progress_handler(
            db.sqliteConnection, StoreLimits.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                let interruption = Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
                return interruption.isAsked.load(ordering: .relaxed) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        return try body()
    }
}
