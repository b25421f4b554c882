/// What the sync service is about, as it reports to systemd and the shells.
struct ServiceState: Codable, Sendable, Hashable {
    enum Activity: String, Codable, Sendable, Hashable {
        case starting
        case connecting
        case exchanging
        /// Connected, and everything is exchanged but for what the gateway refused.
        case idle
        /// The gateway cannot be reached; it is tried again by itself.
        case offline
        /// Until something changes: the gateway was reached and said no, or nobody has signed in.
        case waiting
        case stopping
        case stopped
    }

    var activity: Activity
    var completed: UInt64
    var total: UInt64
    /// Why it is offline or waits, in sentences.
    var why: String?
    /// Records that the gateway has refused and nobody has dealt with, when it became idle; `nil` where that is not
    /// known.
    var refused: Int?

    init(
        _ activity: Activity, completed: UInt64 = 0, total: UInt64 = 0, why: String? = nil, refused: Int? = nil
    ) {
        self.activity = activity
        self.completed = completed
        self.total = total
        self.why = why
        self.refused = refused
    }

    /// Whether there is a connection.
    var isConnected: Bool {
        switch activity {
        case .exchanging, .idle: true
        case .starting, .connecting, .offline, .waiting, .stopping, .stopped: false
        }
    }

    /// One line for `systemctl status`.
    var line: String {
        let reason = why.map { ": " + $0.replacing("\n", with: " ") } ?? ""
        switch activity {
        case .starting: return "Starting"
        case .connecting: return "Connecting"
        case .exchanging: return total > 0 ? "Syncing, \(completed) of \(total) records" : "Syncing"
        case .idle:
            guard let refused, refused > 0 else { return "Idle: everything is exchanged" }
            return "Idle: the gateway refused \(refused.of("record")), all else is exchanged; see: fieldbook outbox"
        case .offline: return "Offline" + reason
        case .waiting: return "Waiting" + reason
        case .stopping: return "Stopping"
        case .stopped: return "Stopped"
        }
    }
}

/// What lasts from one sync to the next, kept beside the records for every shell to read.
struct SyncNotes: Codable, Sendable, Hashable {
    /// Seconds since 1970 at which everything had last been exchanged, and with which gateway.
    var lastExchange: Int64?
    var gateway: String?
    /// By how much this laptop's clock was ahead of the gateway's then; `nil` where they agreed.
    var secondsAhead: Int64?
    /// What the service reported last; it may be gone since.
    var service: Service?

    struct Service: Codable, Sendable, Hashable {
        var process: Int32
        var state: ServiceState
        /// Seconds since 1970: how long it has been so.
        var since: Int64
        /// To those that asked last.
        var answers: [Answer] = []
    }

    struct Answer: Codable, Sendable, Hashable {
        let id: String
        var report: SyncReport?
        var failure: String?
    }
}
