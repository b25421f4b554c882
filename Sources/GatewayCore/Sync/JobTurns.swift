import NIOCore
import SyncProtocol

/// What a client has asked for and the database has to answer: some of it is worked on at the same time, the rest waits, and
/// with it the bytes of what came, until nothing waits. So reading pauses for a client that asks faster than it can be
/// answered. Pure.
struct JobTurns {
    private var waiting = CircularBuffer<PassiveAction>()
    private var running = 0
    /// Bytes of messages whose jobs wait.
    private var heldBytes = 0

    var waitingCount: Int { waiting.count }

    /// - Returns: whether it is to be begun now; otherwise `end` returns it when it is its turn.
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
    /// - Returns: the one that is to be begun now.
    mutating func end() -> PassiveAction? {
        if let next = waiting.popFirst() { return next }
        running -= 1
        return nil
    }

    /// So many bytes have been worked on.
    ///
    /// - Parameter before: how many jobs waited before that.
    /// - Returns: the bytes that nothing waits for any more.
    mutating func release(_ bytes: Int, waitingBefore before: Int) -> Int {
        if waiting.count > before { heldBytes += bytes }
        let released = waiting.count > before ? 0 : bytes
        guard waiting.isEmpty else { return released }
        defer { heldBytes = 0 }
        return released + heldBytes
    }
}
