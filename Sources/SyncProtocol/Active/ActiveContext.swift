import BLIPProtocol

/// Where the parts of a session put what they want done, and what they share.
struct ActiveContext: Sendable {
    let namesCollections: Bool
    var now: Instant = 0
    var output = SessionOutput<ActiveAction, ActiveJob>()
    var events: [DocumentEvent] = []
    var attachments = AttachmentsUnderWay()
    /// The first failure that concerns the whole replication.
    private(set) var failure: SyncFailure?
    var completed: UInt64 = 0
    var total: UInt64 = 0

    init(namesCollections: Bool) { self.namesCollections = namesCollections }

    /// What the `collection` property says.
    func wireIndex(_ collection: Int) -> Int? { namesCollections ? collection : nil }

    mutating func fail(_ failure: SyncFailure) {
        if self.failure == nil { self.failure = failure }
    }
}
