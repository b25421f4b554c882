import Synchronization

/// A write that waits for its turn at the writer, and then for the commit that it shares with others.
final class WaitingWrite: Sendable {
    private enum State {
        case running
        /// `nil` if it has not failed so far.
        case ran(failure: (any Error)?)
        case awaited(CheckedContinuation<(any Error)?, Never>, failure: (any Error)?)
        case over(failure: (any Error)?)

        var failure: (any Error)? {
            switch self {
            case .running: nil
            case .ran(let failure), .awaited(_, let failure), .over(let failure): failure
            }
        }
    }

    private let state = Mutex(State.running)
    private let lent = LentConnection<SQLiteTransaction>()

    // MARK: The writer's side

    /// Returns the write's error, if it failed.
    func run(in transaction: SQLiteTransaction) -> (any Error)? {
        do {
            try transaction.runWrite {
                lent.lend(transaction)
                if let failure = state.withLock({ $0.failure }) { throw failure }
            }
            return nil
        } catch {
            // Of the savepoint, it may be.
            lent.refuse(with: error)
            note(error)
            return error
        }
    }

    /// The error of the write itself, or that of its commit, if one of them failed.
    func failure(or ofCommit: (any Error)?) -> (any Error)? {
        if let ofCommit { lent.refuse(with: ofCommit) }
        return ofCommit ?? state.withLock { $0.failure }
    }

    /// Called after the commit: the task goes on.
    func finish(_ failure: (any Error)?) {
        let waiting = state.withLock { state -> CheckedContinuation<(any Error)?, Never>? in
            defer { state = .over(failure: failure) }
            switch state {
            case .awaited(let waiting, _): return waiting
            case .running, .ran, .over: return nil
            }
        }
        waiting?.resume(returning: failure)
    }

    private func note(_ failure: (any Error)?) {
        state.withLock { state in
            switch state {
            case .running, .ran: state = .ran(failure: failure)
            case .awaited(let waiting, _): state = .awaited(waiting, failure: failure)
            case .over: break
            }
        }
    }

    // MARK: The task's side

    /// Runs `body` when it is its turn, and returns when its changes are durable.
    func value<Value>(of body: (any StoreTransaction) async throws -> Value) async throws -> Value {
        let (result, failure) = await lent.use { transaction in
            do { return try await body(transaction) } catch {
                // The serving thread undoes the write if it sees this error.
                note(error)
                throw error
            }
        } then: { giveBack in
            await end(giveBack)
        }
        if let failure { throw failure }
        return try result.get()
    }

    /// Waits for the commit.
    ///
    /// - Parameter giveBack: called when the wait has begun, or there is none.
    private func end(_ giveBack: () -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> (any Error)?? in
                switch state {
                case .running, .ran:
                    state = .awaited(continuation, failure: state.failure)
                    return nil
                case .over(let failure): return .some(failure)
                case .awaited: return .some(GatewayError.writeIsAwaitedTwice)
                }
            }
            giveBack()
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
