import Synchronization

/// A connection that a thread lends to a task for as long as its body runs. During that time the thread serves the task;
/// afterwards it goes on with the connection.
///
/// The loan ends with the body, even if the task fails or is cancelled; so no transaction stays open.
///
/// A task that has asked for a loan must not suspend before it calls `use`: the thread waits for it from the moment it
/// lends, so if something were to keep the task from going on, the connection, and all that wait for it, would wait for
/// ever.
final class LentConnection<Connection>: Sendable {
    /// A connection must not be shared between threads: it is only used on the thread that lends it, while that thread
    /// serves the task.
    private struct Loan: @unchecked Sendable {
        let connection: Connection
    }

    private enum State {
        case asked
        case lent(Loan)
        case refused(any Error)
        case givenBack
    }

    private let state = Mutex(State.asked)
    private let thread = ConnectionThread()

    /// Called by the thread that holds the connection; returns when the task has given it back.
    func lend(_ connection: Connection) {
        let loan = Loan(connection: connection)
        state.withLock { $0 = .lent(loan) }
        thread.serve()
        state.withLock { $0 = .givenBack }
    }

    /// Called if there is no connection or no transaction; does nothing if the task has had the connection already.
    func refuse(with error: any Error) {
        let isRefused = state.withLock { state in
            switch state {
            case .asked:
                state = .refused(error)
                return true
            case .lent, .refused, .givenBack: return false
            }
        }
        if isRefused { thread.end() }
    }

    /// Called by the task: waits for the loan, and runs `body` on the thread that lends the connection.
    ///
    /// - Throws: what `body` throws, or why no connection is lent.
    func use<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(thread) {
            defer { thread.end() }
            return try await body(try connection())
        }
    }

    /// Called by the task: the same, and then `rest`, which gives the connection back when it begins to wait. So the task
    /// changes threads once, after that wait, and not before it as well.
    ///
    /// - Returns: what `body` returned or threw, or why no connection is lent; and the value of `rest`.
    func use<Value, Rest>(
        _ body: (Connection) async throws -> Value, then rest: (_ giveBack: () -> Void) async -> Rest
    ) async -> (Result<Value, any Error>, Rest) {
        await withTaskExecutorPreference(thread) {
            defer { thread.end() }
            let result: Result<Value, any Error>
            do { result = .success(try await body(try connection())) } catch { result = .failure(error) }
            return (result, await rest { thread.end() })
        }
    }

    private func connection() throws -> Connection {
        let loan = try state.withLock { state -> Loan in
            switch state {
            case .lent(let loan): return loan
            case .refused(let error): throw error
            case .asked, .givenBack: throw GatewayError.connectionIsNotLent
            }
        }
        return loan.connection
    }

    /// Called from any thread: runs `body` with the connection while it is lent, for example to interrupt it.
    func whileLent(_ body: (Connection) -> Void) {
        state.withLock { state in
            switch state {
            case .lent(let loan): body(loan.connection)
            case .asked, .refused, .givenBack: break
            }
        }
    }
}
