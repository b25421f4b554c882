import SyncFunction
import Synchronization

/// Plain functions that wait until a test has done something else.
struct HeldFunctions: SyncFunctionRunning {
    let runs = Barrier()
    let compilations = Barrier()

    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        await runs.pass()
        return try await PlainFunctions().run(calls)
    }

    func problem(with function: SyncFunctionSource) async throws -> String? {
        await compilations.pass()
        return try await PlainFunctions().problem(with: function)
    }
}

/// Holds the next caller until it is opened; later callers pass.
final class Barrier: Sendable {
    private enum State {
        case open
        /// No caller has come yet; a test may wait for one.
        case closed(observer: CheckedContinuation<Void, Never>?)
        case holding(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.open)

    func close() { state.withLock { $0 = .closed(observer: nil) } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .closed(let observer) = state else { return continuation }
                state = .holding(continuation)
                return observer
            }
            resumed?.resume()
        }
    }

    /// Returns when a caller is held.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard case .closed = state else { return true }
                state = .closed(observer: continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .open }
            guard case .holding(let continuation) = state else { return nil }
            return continuation
        }
        held?.resume()
    }
}
