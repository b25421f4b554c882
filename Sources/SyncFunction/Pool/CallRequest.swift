import Synchronization

/// The calls of one caller, which are sent to the workers in trips.
final class CallRequest: Sendable {
    private struct State {
        /// The ends of each trip's calls, in order; empty while the trip is running.
        var ends: [[CallEnd]]
        var underWay: Int
        /// `nil` before the caller waits, and once it has its answer.
        var continuation: CheckedContinuation<[CallEnd], any Error>?
        var isCancelled = false
    }

    private let budget: SlowCallBudget?
    private let client: ClientPresence?
    private let state: Mutex<State>

    init(trips: Int, budget: SlowCallBudget?, client: ClientPresence? = nil) {
        self.budget = budget
        self.client = client
        state = Mutex(State(ends: Array(repeating: [], count: trips), underWay: trips))
    }

    /// Before the first trip.
    func wait(with continuation: CheckedContinuation<[CallEnd], any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    /// The caller does not need the answer any more. It waits on for its turn, so that its documents stay on its account
    /// for as long as they are in memory.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Whether calls that have not begun are left out.
    var isGivenUp: Bool { budget?.isSpent ?? false || isUnwanted }

    private var isUnwanted: Bool { client?.isGone ?? false || state.withLock { $0.isCancelled } }

    /// Throws `CancellationError` if the caller or its client does not need the answer any more.
    func checkIsWanted() throws { if isUnwanted { throw CancellationError() } }

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
