import Synchronization

/// How many calls of one request may take too long until its others are not looked at: a request of thousands of slow
/// documents would keep a worker busy for hours, also when nobody waits for its answer any more.
///
/// A request has one, however many runs its documents take.
package final class SlowCallBudget: Sendable {
    private let rest: Atomic<Int>

    package init(calls: Int) { rest = Atomic(calls) }

    package var isSpent: Bool { rest.load(ordering: .relaxed) <= 0 }

    /// So many more have taken too long.
    package func take(_ calls: Int) { rest.subtract(calls, ordering: .relaxed) }
}
