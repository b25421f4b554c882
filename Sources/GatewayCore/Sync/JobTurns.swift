import NIOCore
import SyncProtocol

/// The requests of a client that the database has to answer. Some are processed at the same time; the others wait, and their
/// messages count as unread until none waits. So reading is paused for a client that sends requests faster than they can be
/// answered. Pure.
struct JobTurns {
    private var waiting = CircularBuffer<PassiveAction>()
    private var running = 0
    /// Bytes of messages whose jobs wait.
    private var heldBytes = 0

    var waitingCount: Int { waiting.count }

    /// - Returns: whether to begin it now; otherwise `end` returns it when it is its turn.
    mutating func begin(_ action: PassiveAction) -> Bool {
        guard running < GatewayLimits.jobsOfConnection else {
            waiting.append(action)
            return false
        }
        running += 1
        return true
    }

    /// One is done.
    ///
    /// - Returns: the request to begin now.
    mutating func end() -> PassiveAction? {
        if let next = waiting.popFirst() { return next }
        running -= 1
        return nil
    }

    /// So many bytes were processed.
    ///
    /// - Parameter before: how many jobs waited before that.
    /// - Returns: the bytes that no waiting request needs any more.
    mutating func release(_ bytes: Int, waitingBefore before: Int) -> Int {
        if waiting.count > before { heldBytes += bytes }
        let released = waiting.count > before ? 0 : bytes
        guard waiting.isEmpty else { return released }
        defer { heldBytes = 0 }
        return released + heldBytes
    }
}
