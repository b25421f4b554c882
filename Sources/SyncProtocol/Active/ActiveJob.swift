/// A job for whose result an active session waits: the collection that requested it, and its purpose.
enum ActiveJob: Sendable {
    case readChanges(collection: Int)
    case readRefused(collection: Int)
    case loadRevisions(collection: Int, Pusher.Load)
    case checkAnnounced(collection: Int, rows: Int)
    case loadSources(collection: Int, [ArrivalTable.Handle])
    case examine(collection: Int, [ArrivalTable.Handle])
    case fetchAttachment(collection: Int, tag: UInt64)
    case storeRevisions(collection: Int, [ArrivalTable.Handle])
    case purge(collection: Int, [Puller.Lost])
    case resolveConflicts(collection: Int)
}

extension ActiveJob: SessionJob {
    var owner: WorkOwner? {
        switch self {
        case .readChanges(let index), .readRefused(let index), .loadRevisions(let index, _): WorkOwner(.push, of: index)
        case .checkAnnounced(let index, _), .loadSources(let index, _), .examine(let index, _),
            .fetchAttachment(let index, _), .storeRevisions(let index, _), .purge(let index, _),
            .resolveConflicts(let index):
            WorkOwner(.pull, of: index)
        }
    }

    /// The driver sends the request for an attachment and takes its answer: that is a job.
    static func owner(of request: RequestTag) -> WorkOwner? {
        request.kind == .attachment ? nil : WorkOwner(request.kind.part, of: request.collection)
    }
}

extension ActiveJob {
    /// How many elements its result has; `nil` if that is the driver's choice.
    var elements: Int? {
        switch self {
        case .loadRevisions(_, .sending(let batch)), .loadRevisions(_, .comparing(let batch)): batch.count
        case .checkAnnounced(_, let rows): rows
        case .loadSources(_, let batch), .examine(_, let batch), .storeRevisions(_, let batch): batch.count
        case .purge(_, let batch): batch.count
        case .readChanges, .readRefused, .fetchAttachment, .resolveConflicts: nil
        }
    }
}

extension ActiveResult {
    /// How many elements it has; `nil` if their number says nothing about the job.
    var elements: Int? {
        switch self {
        case .revisions(let revisions, _): revisions.count
        case .wanted(let decisions): decisions.count
        case .sources(let bodies): bodies.count
        case .examined(let results): results.count
        case .stored(let outcomes): outcomes.count
        case .purged(let verdicts): verdicts.count
        case .changes, .refused, .fetched, .resolved: nil
        }
    }
}
