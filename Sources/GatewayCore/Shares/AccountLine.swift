import DocumentValues
import Synchronization

/// A semaphore with weights for each account: the jobs of one account wait for each other if the account has reached its
/// limit. `AccountTurns` decides whose turn it is.
package final class AccountLine: Sendable {
    private struct State {
        var turns: AccountTurns
        var waiting: [AccountTurns.Ticket: CheckedContinuation<Bool, Never>] = [:]

        mutating func take(_ tickets: [AccountTurns.Ticket]) -> [CheckedContinuation<Bool, Never>] {
            tickets.compactMap { waiting.removeValue(forKey: $0) }
        }
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: of one account at a time. An account without work may begin with any weight.
    ///   - total: of all accounts; beyond it each account has one job.
    package init(limit: Int, total: Int = .max) {
        state = Mutex(State(turns: AccountTurns(limit: limit, total: total)))
    }

    /// - Throws: `CancellationError` if the task is cancelled before its turn comes.
    package func run<Value: Sendable>(of account: Name, _ body: () async throws -> Value) async throws -> Value {
        try await begin(of: account)
        defer { end(of: account) }
        return try await body()
    }

    /// - Returns: whether the account may have that much more now; if so, it has it.
    package func beginAtOnce(_ weight: Int = 1, of account: Name) -> Bool {
        state.withLock { $0.turns.begin(weight, of: account) }
    }

    /// Returns when the account may have that much more.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    package func begin(_ weight: Int = 1, of account: Name) async throws {
        if !beginAtOnce(weight, of: account) { try await wait(weight, of: account) }
    }

    private func wait(_ weight: Int, of account: Name) async throws {
        let ticket = state.withLock { $0.turns.newTicket() }
        let isTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTurn = state.withLock { state -> Bool? in
                    guard !Task.isCancelled else { return false }
                    // There may be room by now.
                    if state.turns.begin(weight, of: account) { return true }
                    state.turns.wait(ticket, weight: weight, of: account)
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let isTurn { continuation.resume(returning: isTurn) }
            }
        } onCancel: {
            let (left, next) = state.withLock { state in
                guard let next = state.turns.leave(ticket, of: account) else {
                    return (nil as CheckedContinuation<Bool, Never>?, [] as [CheckedContinuation<Bool, Never>])
                }
                return (state.waiting.removeValue(forKey: ticket), state.take(next))
            }
            left?.resume(returning: false)
            for continuation in next { continuation.resume(returning: true) }
        }
        guard isTurn else { throw CancellationError() }
    }

    package func end(_ weight: Int = 1, of account: Name) {
        let next = state.withLock { $0.take($0.turns.end(weight, of: account)) }
        for continuation in next { continuation.resume(returning: true) }
    }
}
