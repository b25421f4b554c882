import FieldRecords

/// Why the sync service does not exchange records, or does not do a request, where no error of another part says it.
public enum ServiceObstacle: AdvisingError, Sendable, Hashable {
    /// The replicator has not said why.
    case gatewayUnreached
    /// The replicator has stopped, and not said why.
    case exchangeEnded
    case folderIsBusy
    /// The service is being stopped.
    case isEnding
    case requestUnreadable
    /// With the system's reason.
    case networkUnwatched(String)

    /// In English; `SyncWording` can put it otherwise.
    public var advised: AdvisedText {
        switch self {
        case .gatewayUnreached: "The gateway cannot be reached."
        case .exchangeEnded: "The exchange has ended without saying why."
        case .folderIsBusy: "Another sync of this folder runs; it goes on after that."
        case .isEnding: "The sync service is being stopped."
        case .requestUnreadable: "The request to the sync service cannot be read; send it again."
        case .networkUnwatched(let reason): AdvisedText(text: reason)
        }
    }
}
