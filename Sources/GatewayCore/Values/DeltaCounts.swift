import Synchronization

/// How often revisions were sent as differences, since the database was opened.
package final class DeltaCounts: Sendable {
    package struct Values: Sendable, Hashable {
        /// Revisions that a client could have got as a difference.
        package var requested = 0
        package var sent = 0
        /// Revisions that a client pushed as a difference, and that were stored.
        package var pushed = 0
        /// Differences that were cached, and differences that had to be made.
        package var hits = 0
        package var misses = 0
    }

    private let counts = Mutex(Values())

    package var values: Values { counts.withLock { $0 } }

    func add(_ change: (inout Values) -> Void) { counts.withLock { change(&$0) } }
}
