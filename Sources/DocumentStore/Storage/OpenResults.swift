import Dispatch
import Synchronization

/// Gives the turns to open results of queries, and has asynchronous callers wait for theirs: on no thread, and until they are
/// cancelled, the database is closed, or no result moves any more.
final class OpenResults: Sendable {
    private enum Phase {
        case open
        /// Callers wait; the number is that of the timer that looks whether results move.
        case watched(UInt64)
        case closed
    }

    private struct State {
        var phase = Phase.open
        var turns: ResultTurns<CheckedContinuation<Void, any Error>>
        var lastWatch: UInt64 = 0
    }

    private enum Step {
        case resume(Swift.Result<Void, any Error>)
        case wait
        case waitAndWatch(UInt64)
    }

    private let state: Mutex<State>
    private let lastCaller = Atomic<UInt64>(0)
    private let limit: Int
    private let interval: Int

    /// - Parameters:
    ///   - limit: results that are open at once.
    ///   - interval: milliseconds between two looks whether results move.
    init(limit: Int = StoreLimits.openResults, interval: Int = StoreLimits.resultStandstill) {
        self.limit = limit
        self.interval = interval
        state = Mutex(State(turns: ResultTurns(limit: limit)))
    }

    /// How many are open.
    var count: Int { state.withLock { $0.turns.open } }

    /// How many callers wait.
    var waiting: Int { state.withLock { $0.turns.waiting } }

    // MARK: Turns

    /// A turn, for a caller whose thread would be blocked if it waited. Throws `.busy` where there is none.
    func turnAtOnce() throws -> ResultTurn {
        let task = Self.currentTask
        try state.withLock { state in
            if case .closed = state.phase { throw StoreError.closedDatabase }
            guard state.turns.takeAtOnce(task) else { throw StoreError.tooManyResults(limit) }
        }
        return ResultTurn(of: task, in: self)
    }

    /// A turn, after a wait if need be. Throws `CancellationError` in a cancelled task, `.notOpen` where the database is closed
    /// during the wait, `.busy` where the wait might never end.
    func turn() async throws -> ResultTurn {
        let task = Self.currentTask
        let number = lastCaller.wrappingAdd(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch step(of: task, continuation, as: number) {
                case .resume(let result): continuation.resume(with: result)
                case .wait: break
                case .waitAndWatch(let watch): look(later: watch)
                }
            }
        } onCancel: {
            state.withLock { $0.turns.leave(number) }?.resume(throwing: CancellationError())
        }
        return ResultTurn(of: task, in: self)
    }

    private func step(
        of task: Int?, _ continuation: CheckedContinuation<Void, any Error>, as number: UInt64
    ) -> Step {
        state.withLock { state in
            // A task that is cancelled from here on is found in the line.
            if Task.isCancelled { return .resume(.failure(CancellationError())) }
            if case .closed = state.phase { return .resume(.failure(StoreError.closedDatabase)) }
            switch state.turns.take(task) {
            case .granted: return .resume(.success(()))
            case .refused(let held): return .resume(.failure(StoreError.tooManyResults(held: held, of: limit)))
            case .mustWait:
                state.turns.wait(continuation, of: task, as: number)
                guard case .open = state.phase else { return .wait }
                state.lastWatch += 1
                state.phase = .watched(state.lastWatch)
                state.turns.beginLooking()
                return .waitAndWatch(state.lastWatch)
            }
        }
    }

    fileprivate func giveBack(_ task: Int?) {
        state.withLock { $0.turns.giveBack(task) }?.resume()
    }

    /// Runs `body`, which reads rows of a result.
    func reading<Value>(_ body: () throws -> Value) rethrows -> Value {
        state.withLock { $0.turns.beginReading() }
        defer { state.withLock { $0.turns.endReading() } }
        return try body()
    }

    /// Ends all that wait; there are no turns until `reopen`.
    func close() {
        let waiters = state.withLock { state in
            state.phase = .closed
            return state.turns.removeWaiters()
        }
        for waiter in waiters { waiter.resume(throwing: StoreError.closedDatabase) }
    }

    func reopen() { state.withLock { $0.phase = .open } }

    // MARK: Standstill

    private func look(later watch: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in
            self?.look(watch)
        }
    }

    private func look(_ watch: UInt64) {
        typealias Waiter = CheckedContinuation<Void, any Error>
        let (stuck, open, goesOn) = state.withLock { state -> ([Waiter], Int, Bool) in
            // Another timer looks where the database was closed and opened again.
            guard case .watched(watch) = state.phase else { return ([], 0, false) }
            switch state.turns.look() {
            case .isMoving: return ([], 0, true)
            case .noneWaits:
                state.phase = .open
                return ([], 0, false)
            case .isStuck(let waiters):
                state.phase = .open
                return (waiters, state.turns.open, false)
            }
        }
        for waiter in stuck { waiter.resume(throwing: StoreError.resultsAreIdle(open, for: interval / 1000)) }
        if goesOn { look(later: watch) }
    }

    /// Two tasks that exist at the same time have different ones.
    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

/// The turn of a caller, from the moment it gets it until its result is not open any more.
final class ResultTurn: Sendable {
    private let task: Int?
    private let results: OpenResults
    private let isOver = Atomic(false)

    fileprivate init(of task: Int?, in results: OpenResults) {
        self.task = task
        self.results = results
    }

    /// Where a call is cancelled or fails before there is a result.
    deinit { giveBack() }

    func giveBack() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { results.giveBack(task) }
    }
}
