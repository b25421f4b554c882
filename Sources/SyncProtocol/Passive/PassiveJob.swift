/// A job for whose result a passive session waits: the request or part that needs it, and its purpose.
enum PassiveJob: Sendable {
    case resolveCollections(request: UInt32?)
    case loadCheckpoint(request: UInt32?)
    case saveCheckpoint(request: UInt32?)
    case openFeed(collection: Int, request: UInt32?)
    case nextRows(collection: Int, feed: JobID)
    /// How many rows, and their bytes.
    case checkAnnounced(request: UInt32?, rows: Int, bytes: Int)
    case checkProposed(request: UInt32?, rows: Int, includesRevision: Bool, bytes: Int)
    case loadSources
    case storeRevisions(collection: Int, [PushedRevision])
    case loadRevisions(collection: Int, batch: UInt64)
    case getRevision(request: UInt32?, ifNotRev: String?)
    /// Bytes of the answer to an attachment request.
    case keepAttachment(tag: UInt64, bytes: Int)

    /// False for jobs that may have to wait for the writes of other users.
    var endsByItself: Bool {
        switch self {
        case .nextRows: false
        case .resolveCollections, .loadCheckpoint, .saveCheckpoint, .openFeed, .checkAnnounced, .checkProposed,
            .loadSources, .storeRevisions, .loadRevisions, .getRevision, .keepAttachment:
            true
        }
    }
}

/// A gateway's session does not end because it has nothing to do.
extension PassiveJob: SessionJob {
    var owner: WorkOwner? { nil }

    static func owner(of request: RequestTag) -> WorkOwner? { nil }
}
