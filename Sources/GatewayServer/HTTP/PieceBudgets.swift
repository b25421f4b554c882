import BLIPTransport
import DocumentValues
import Synchronization

/// How many small pieces the connections of each account may send. A budget exists as long as a connection uses it.
final class PieceBudgets: Sendable {
    private struct Entry {
        weak var budget: PieceBudget?
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        /// The number of entries from which on unused ones are removed.
        var sweepSize = PieceBudgets.leastSweep
    }

    private static let leastSweep = 64
    private let state = Mutex(State())

    subscript(account: Name) -> PieceBudget {
        state.withLock { state in
            if let budget = state.entries[account]?.budget { return budget }
            if state.entries.count >= state.sweepSize {
                state.entries = state.entries.filter { $0.value.budget != nil }
                state.sweepSize = max(Self.leastSweep, 2 * state.entries.count)
            }
            let budget = PieceBudget()
            state.entries[account] = Entry(budget: budget)
            return budget
        }
    }
}
