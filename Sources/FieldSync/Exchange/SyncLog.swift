import Replication

/// The knowledge that a one-shot sync gets from the replicator's states.
struct SyncLog {
    private let show: (SyncProgress) -> Void
    private(set) var wasEverConnected = false
    private var tries: UInt = 0
    /// Why it is not connected, or why it has ended.
    private(set) var failure: (any Error)?

    init(_ show: @escaping (SyncProgress) -> Void) { self.show = show }

    /// Without this limit, a gateway that accepts connections and then ends them would be tried for ever.
    var hasTriedEnough: Bool { tries >= ServiceLimits.syncAttempts }

    /// Some seconds have passed.
    func noteDelay() {
        if !wasEverConnected { show(.trying) }
    }

    mutating func note(_ status: Replicator.Status) {
        switch status.activity {
        case .busy:
            wasEverConnected = true
            if status.progress.completed > 0 { show(.exchanged(records: status.progress.completed)) }
        case .idle:
            wasEverConnected = true
            failure = nil
            show(.idle)
        case .offline:
            tries += 1
            failure = status.error ?? failure
        case .connecting: break
        case .stopped: failure = status.error ?? (hasTriedEnough ? failure : nil)
        }
    }
}
