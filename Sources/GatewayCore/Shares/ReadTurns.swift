import DocumentValues
import Synchronization

/// Lets one account read only so much at a time: there are few readers, and a large document takes one of them for a while.
final class ReadTurns: Sendable {
    private struct State {
        var turns: AccountTurns
        var waiting: [AccountTurns.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter limit: of one account at a time.
    init(limit: Int) { state = Mutex(State(turns: AccountTurns(limit: limit))) }

    /// - Throws: `CancellationError` where the task is cancelled before its turn comes.
    func run<Value: Sendable>(of account: Name, _ body: () async throws -> Value) async throws -> Value {
        if !state.withLock({ $0.turns.begin(account) }) { try await wait(account) }
        defer { end(account) }
        return try await body()
    }

    private func wait(_ account: Name) async throws {
        let ticket = state.withLock { $0.turns.newTicket() }
        let isTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTurn = state.withLock { state -> Bool? in
                    guard !Task.isCancelled else { return false }
                    // One may have become free meanwhile.
                    if state.turns.begin(account) { return true }
                    state.turns.wait(ticket, of: account)
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let isTurn { continuation.resume(returning: isTurn) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.turns.leave(ticket, of: account) ? state.waiting.removeValue(forKey: ticket) : nil
            }
            continuation?.resume(returning: false)
        }
        guard isTurn else { throw CancellationError() }
    }

    private func end(_ account: Name) {
        let continuation = state.withLock { state in
            state.turns.end(account).flatMap { state.waiting.removeValue(forKey: $0) }
        }
        continuation?.resume(returning: true)
    }
}
