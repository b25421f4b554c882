import Synchronization

/// The calls that one caller waits for, which go to the workers in trips.
final class CallRequest: Sendable {
    private struct State {
        /// Of each trip, in their order; empty while it is under way.
        var ends: [[CallEnd]]
        var underWay: Int
        var cutOffs = 0
        /// `nil` once the caller has its answer.
        var continuation: CheckedContinuation<[CallEnd], any Error>?
    }

    /// How many calls may take too long until the others are not looked at: a request of thousands of slow documents would
    /// keep a worker busy for hours, also when nobody waits for its answer any more. `nil` where each has to come to its end.
    private let cutOffLimit: Int?
    private let state: Mutex<State>

    init(trips: Int, cutOffLimit: Int?, continuation: CheckedContinuation<[CallEnd], any Error>) {
        self.cutOffLimit = cutOffLimit
        state = Mutex(State(ends: Array(repeating: [], count: trips), underWay: trips, continuation: continuation))
    }

    /// The calls that are not begun are not looked at.
    var isGivenUp: Bool { cutOffLimit.map { limit in state.withLock { $0.cutOffs >= limit } } ?? false }

    func note(_ ends: some Sequence<CallEnd>) {
        let cutOffs = ends.count { $0 == .tooSlow }
        if cutOffs > 0 { state.withLock { $0.cutOffs += cutOffs } }
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
