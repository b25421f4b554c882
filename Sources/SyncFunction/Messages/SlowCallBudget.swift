import Synchronization

/// How many calls of one request may take too long until its other documents are left out. Otherwise a request with
/// thousands of slow documents would keep a worker busy for hours, even after its client is gone.
///
/// A request has one budget, however many runs its documents take.
package final class SlowCallBudget: Sendable {
    private let rest: Atomic<Int>

    package init(calls: Int) { rest = Atomic(calls) }

    package var isSpent: Bool { rest.load(ordering: .relaxed) <= 0 }

    /// So many more have taken too long.
    package func take(_ calls: Int) { rest.subtract(calls, ordering: .relaxed) }
}
