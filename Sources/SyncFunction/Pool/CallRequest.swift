import Synchronization

/// The calls of one caller, which are sent to the workers in trips.
final class CallRequest: Sendable {
    private struct State {
        /// The ends of each trip's calls, in order; empty while the trip is running.
        var ends: [[CallEnd]]
        var underWay: Int
        /// `nil` once the caller has its answer.
        var continuation: CheckedContinuation<[CallEnd], any Error>?
    }

    private let budget: SlowCallBudget?
    private let state: Mutex<State>

    init(trips: Int, budget: SlowCallBudget?, continuation: CheckedContinuation<[CallEnd], any Error>) {
        self.budget = budget
        state = Mutex(State(ends: Array(repeating: [], count: trips), underWay: trips, continuation: continuation))
    }

    /// Whether calls that have not begun are left out.
    var isGivenUp: Bool { budget?.isSpent ?? false }

    func note(_ ends: some Sequence<CallEnd>) {
        budget?.take(ends.count { $0 == .tooSlow })
    }

    /// Answers the caller when this was the last trip.
    func finish(trip: Int, with ends: [CallEnd]) {
        let answer = state.withLock { state -> (CheckedContinuation<[CallEnd], any Error>, [CallEnd])? in
            state.ends[trip] = ends
            state.underWay -= 1
            guard state.underWay == 0, let continuation = state.continuation.take() else { return nil }
            return (continuation, Array(state.ends.joined()))
        }
        if let (continuation, ends) = answer { continuation.resume(returning: ends) }
    }

    /// Answers the caller at once: without one of the trips there is no answer.
    func fail(with error: any Error) {
        state.withLock { $0.continuation.take() }?.resume(throwing: error)
    }
}
