import BLIPProtocol

/// Collects the actions and messages of the parts of a session, and holds the state that they share.
struct PassiveContext: Sendable {
    let configuration: PassiveConfiguration
    var naming = CollectionNaming.undecided
    var output = SessionOutput<PassiveAction, PassiveJob>()
    var revisions = RevisionsUnderWay()
    /// Feeds that were given up while the driver was working for them.
    var abandonedFeeds = 0
    /// Bytes of revisions that wait for the store, differences included, and of attachments that wait for the disk.
    var storeBytes = 0
    /// Bytes of revisions that wait for attachments.
    var waitingBytes = 0

    /// Bytes of announced rows that the store is looking up.
    var announcedBytes = 0
    /// Bytes of the filters of the feeds.
    var filterBytes = 0

    init(_ configuration: PassiveConfiguration) { self.configuration = configuration }

    /// The value of the `collection` property.
    func wireIndex(_ collection: Int) -> Int? { naming.wireIndex(collection) }

    /// The driver drops the content that it has kept.
    mutating func drop(_ handles: [AttachmentHandle]) {
        if !handles.isEmpty { output.append(.dropAttachments(handles)) }
    }
}
