import BLIPProtocol

/// Where the parts of a session put what they want done, and what they share.
struct PassiveContext: Sendable {
    let configuration: PassiveConfiguration
    var naming = CollectionNaming.undecided
    var output = SessionOutput<PassiveAction, PassiveJob>()
    var revisions = RevisionsUnderWay()
    /// Feeds that were given up while the driver was at work for them.
    var abandonedFeeds = 0
    /// Bytes of what waits for the store, differences included, and of attachments that wait for the disk.
    var storeBytes = 0
    /// Bytes of revisions that wait for attachments.
    var waitingBytes = 0

    /// Bytes of announced rows that are looked up.
    var announcedBytes = 0
    /// Bytes of the filters of the feeds.
    var filterBytes = 0

    init(_ configuration: PassiveConfiguration) { self.configuration = configuration }

    /// What the `collection` property says.
    func wireIndex(_ collection: Int) -> Int? { naming.wireIndex(collection) }

    /// The driver forgets what it has kept.
    mutating func drop(_ handles: [AttachmentHandle]) {
        if !handles.isEmpty { output.append(.dropAttachments(handles)) }
    }
}
