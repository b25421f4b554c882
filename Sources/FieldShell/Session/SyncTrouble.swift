import FieldSync

/// What is wrong with the sync, at a prompt.
enum SyncTrouble: Sendable, Hashable {
    case offline
    /// With why.
    case refused(String)
    case gone

    /// - Parameter old: what it was; it stays so while the service tries whether it still is.
    init?(_ status: SyncStatus, after old: SyncTrouble? = nil) {
        switch status.service {
        case .gone: self = .gone
        case .none, .stopped: return nil
        case .running(let state):
            switch state.activity {
            case .offline: self = .offline
            case .waiting: self = .refused(state.why ?? "The service waits.")
            case .starting, .connecting:
                guard let old else { return nil }
                self = old
            case .exchanging, .idle, .stopping, .stopped: return nil
            }
        }
    }

    /// Shown in the prompt.
    var mark: String {
        switch self {
        case .offline: "offline"
        case .refused: "cannot sync"
        case .gone: "no sync"
        }
    }
}
