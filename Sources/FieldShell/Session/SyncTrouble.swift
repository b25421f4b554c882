import FieldRecords
import FieldSync

/// The trouble of the sync, for a prompt.
enum SyncTrouble: Sendable, Hashable {
    case offline
    /// With why.
    case refused(AdvisedText)
    case gone

    /// - Parameter old: the former trouble; it is kept while the service checks whether it is over.
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
