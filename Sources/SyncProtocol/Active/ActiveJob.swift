/// A job for whose result an active session waits: the collection that requested it, and its purpose.
enum ActiveJob: Sendable {
    case readChanges(collection: Int)
    case readRefused(collection: Int)
    case loadRevisions(collection: Int, Pusher.Load)
    case checkAnnounced(collection: Int)
    case loadSources(collection: Int, [ArrivalTable.Handle])
    case examine(collection: Int, [ArrivalTable.Handle])
    case fetchAttachment(collection: Int, tag: UInt64)
    case storeRevisions(collection: Int, [ArrivalTable.Handle])
    case purge(collection: Int, [Puller.Lost])
    case resolveConflicts(collection: Int)
}
