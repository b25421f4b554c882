import FieldRecords

/// The state of the sync service, which it reports to its watchers.
public struct ServiceState: Sendable, Hashable {
    public enum Activity: String, Codable, Sendable, Hashable {
        case starting
        case connecting
        case exchanging
        /// Connected, and all records are exchanged except those that the gateway refused.
        case idle
        /// The gateway cannot be reached; the service tries again by itself.
        case offline
        /// Waits until something changes: the gateway refused the connection, or no user has signed in.
        case waiting
        case stopping
        case stopped
    }

    public var activity: Activity
    public var completed: UInt64
    public var total: UInt64
    /// Why it is offline or waits, in sentences.
    public var why: AdvisedText?
    /// Records that the gateway has refused and that still need a decision, when it became idle; `nil` if unknown.
    public var refused: Int?

    public init(
        _ activity: Activity, completed: UInt64 = 0, total: UInt64 = 0, why: AdvisedText? = nil, refused: Int? = nil
    ) {
        self.activity = activity
        self.completed = completed
        self.total = total
        self.why = why
        self.refused = refused
    }

    /// Whether there is a connection.
    public var isConnected: Bool {
        switch activity {
        case .exchanging, .idle: true
        case .starting, .connecting, .offline, .waiting, .stopping, .stopped: false
        }
    }
}
