import Dispatch
import Glibc
import Synchronization

/// Counts the calls that use an open database: closing it refuses new calls, and waits until those under way have ended.
///
/// A call inside another one of the same thread, such as a save in a batch, is let in until the outer one has ended. So a call
/// that is under way goes on to its end.
final class CallGate: Sendable {
    private enum Phase {
        case open
        /// A thread waits for the calls under way, to close the database.
        case draining(refusal: StoreError, isDrained: DispatchSemaphore)
        /// Only the thread that closes the database may use it; once that has ended, none.
        case shut(refusal: StoreError)

        /// The error of a new call.
        var refusal: StoreError? {
            switch self {
            case .open: nil
            case .draining(let refusal, _), .shut(let refusal): refusal
            }
        }
    }

    private struct State {
        var phase = Phase.open
        /// The threads of the calls under way; one that is in several calls is in it as often. They are so few that looking for
        /// one takes less time than any table.
        var threads: [pthread_t] = []
    }

    private let state = Mutex(State())

    /// Whether new calls are let in.
    var isOpen: Bool { state.withLock { $0.phase.refusal == nil } }

    /// Whether the calling thread is in a call.
    var isEnteredByThisThread: Bool {
        let thread = pthread_self()
        return state.withLock { $0.threads.contains(thread) }
    }

    /// Runs `body` as a call, which closing waits for.
    ///
    /// - Throws: the error that closing gave, for a new call from then on.
    func call<Value>(_ body: () throws -> Value) throws -> Value {
        let thread = pthread_self()
        try state.withLock { state in
            if let refusal = state.phase.refusal, !state.threads.contains(thread) { throw refusal }
            state.threads.append(thread)
        }
        defer { leave(thread) }
        return try body()
    }

    /// Closes the gate, and runs `body` when no call is under way; `body` itself may make calls. If it throws, the gate is open
    /// again.
    ///
    /// - Parameters:
    ///   - refusal: the error of calls from now on.
    ///   - interrupting: called before it waits, to end calls that would take long.
    /// - Throws: the error of `body`; `.busy` inside a call, which could not end; the present refusal if it is closed.
    func close(
        refusing refusal: StoreError, interrupting: () -> Void, body: () throws -> Void
    ) throws {
        let thread = pthread_self()
        let isDrained = DispatchSemaphore(value: 0)
        let mustWait = try state.withLock { state -> Bool in
            guard !state.threads.contains(thread) else { throw StoreError.insideCall }
            if let present = state.phase.refusal { throw present }
            let mustWait = !state.threads.isEmpty
            state.threads.append(thread)
            state.phase = mustWait ? .draining(refusal: refusal, isDrained: isDrained) : .shut(refusal: refusal)
            return mustWait
        }
        defer { leave(thread) }
        interrupting()
        if mustWait { isDrained.wait() }
        do { try body() } catch {
            state.withLock { $0.phase = .open }
            throw error
        }
    }

    private func leave(_ thread: pthread_t) {
        state.withLock { state in
            guard let index = state.threads.lastIndex(of: thread) else { return }
            state.threads.remove(at: index)
            // The last one is the thread that waits.
            guard case .draining(let refusal, let isDrained) = state.phase, state.threads.count == 1 else { return }
            state.phase = .shut(refusal: refusal)
            isDrained.signal()
        }
    }
}

extension StoreError {
    fileprivate static var insideCall: StoreError {
        StoreError(
            .busy, message: "The database cannot be closed inside one of its calls.",
            hint: "Close it when the call has ended.")
    }
}
