import BLIPProtocol

/// Collects the actions and messages of the parts of a session, and holds the state that they share.
struct ActiveContext: Sendable {
    let namesCollections: Bool
    var now: Instant = 0
    var output = SessionOutput<ActiveAction, ActiveJob>()
    var events: [DocumentEvent] = []
    var attachments = AttachmentsUnderWay()
    var window: TransferWindow
    /// The first failure that concerns the whole replication.
    private(set) var failure: SyncFailure?

    init(namesCollections: Bool, window: TransferWindow = .open) {
        self.namesCollections = namesCollections
        self.window = window
    }

    /// The value of the `collection` property.
    func wireIndex(_ collection: Int) -> Int? { namesCollections ? collection : nil }

    mutating func fail(_ failure: SyncFailure) {
        if self.failure == nil { self.failure = failure }
    }
}
