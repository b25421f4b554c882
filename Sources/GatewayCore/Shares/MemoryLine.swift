import DocumentValues
import Synchronization

/// A semaphore that counts bytes, and is fair among accounts: a `WorkLine` for simultaneous use.
package final class MemoryLine: Sendable {
    private struct State {
        var line: WorkLine
        var waiting: [WorkLine.Ticket: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter total: bytes of all work at the same time; a single job may have more.
    package init(total: Int) { state = Mutex(State(line: WorkLine(total: total))) }

    /// Returns when there is room for so many bytes.
    package func begin(_ bytes: Int, of account: Name) async {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                guard let ticket = state.line.enter(bytes, of: account) else { return true }
                state.waiting[ticket] = turn
                return false
            }
            if isFree { turn.resume() }
        }
    }

    package func end(_ bytes: Int, of account: Name) {
        let next = state.withLock { state in
            state.line.end(bytes, of: account).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for turn in next { turn.resume() }
    }
}
