import Synchronization

/// Wakes housekeeping when a document was stored that expires before the next round.
package final class ExpiryAlarm: Sendable {
    private struct State {
        /// Seconds since 1970 until which housekeeping rests; 0 while it works.
        var due: Int64 = 0
        var waiting: AsyncStream<Never>.Continuation?
        /// The earliest expiry that was announced while housekeeping was working.
        var missed = Int64.max
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes that a document expires at this time.
    func note(_ time: Int64) {
        state.withLock { state in
            guard state.waiting != nil else {
                state.missed = min(state.missed, time)
                return
            }
            guard time < state.due else { return }
            state.waiting?.finish()
            state = State()
        }
    }

    /// Returns when the time has come, or earlier when there is work; throws when the task is cancelled.
    func rest(seconds: Int64, until due: Int64) async throws {
        let (end, waiter) = AsyncStream<Never>.makeStream()
        state.withLock { state in
            if state.missed < due { waiter.finish() }
            state = State(due: due, waiting: waiter)
        }
        defer { state.withLock { $0 = State() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Task.sleep(for: .seconds(seconds)) }
            group.addTask { for await _ in end {} }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }
}
