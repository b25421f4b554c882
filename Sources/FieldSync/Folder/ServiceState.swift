/// What the sync service does, as it reports to those that watch it.
public struct ServiceState: Codable, Sendable, Hashable {
    public enum Activity: String, Codable, Sendable, Hashable {
        case starting
        case connecting
        case exchanging
        /// Connected, and everything is exchanged but for what the gateway refused.
        case idle
        /// The gateway cannot be reached; it is tried again by itself.
        case offline
        /// Waits until something changes: the gateway refused the connection, or nobody has signed in.
        case waiting
        case stopping
        case stopped
    }

    public var activity: Activity
    public var completed: UInt64
    public var total: UInt64
    /// Why it is offline or waits, in sentences.
    public var why: String?
    /// Records that the gateway has refused and nobody has dealt with, when it became idle; `nil` where that is not
    /// known.
    public var refused: Int?

    public init(
        _ activity: Activity, completed: UInt64 = 0, total: UInt64 = 0, why: String? = nil, refused: Int? = nil
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
