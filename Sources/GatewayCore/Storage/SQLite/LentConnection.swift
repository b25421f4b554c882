import Synchronization

/// A connection that a thread lends to a task for as long as its body runs: the thread serves the task meanwhile, and goes on
/// with the connection when it has it back.
///
/// Whatever becomes of the task, the body's end is the end of the loan; so no transaction stays open behind it.
final class LentConnection<Connection>: Sendable {
    /// What is lent is no value that may be shared: it is used on the thread that lends it, while that serves the task.
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

    /// By the thread that holds the connection: returns when the task has given it back.
    func lend(_ connection: Connection) {
        let loan = Loan(connection: connection)
        state.withLock { $0 = .lent(loan) }
        thread.serve()
        state.withLock { $0 = .givenBack }
    }

    /// Where there is no connection, or no transaction; nothing where the task had it already.
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

    /// By the task: runs `body` on the thread that lends the connection, as soon as it does.
    ///
    /// - Throws: what `body` throws, or why no connection is lent.
    func use<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(thread) {
            defer { thread.end() }
            return try await body(try connection())
        }
    }

    private func connection() throws -> Connection {
        let loan = try state.withLock { state -> Loan in
            switch state {
            case .lent(let loan): return loan
            case .refused(let error): throw error
            case .asked, .givenBack: throw GatewayError(500, reason: "A connection is used that nobody lends")
            }
        }
        return loan.connection
    }

    /// From any thread: does something to the connection while it is lent, such as to interrupt it.
    func whileLent(_ body: (Connection) -> Void) {
        state.withLock { state in
            switch state {
            case .lent(let loan): body(loan.connection)
            case .asked, .refused, .givenBack: break
            }
        }
    }
}
