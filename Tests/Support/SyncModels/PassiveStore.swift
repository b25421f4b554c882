import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol

/// The actions of a store that have no answer.
package protocol PassiveReleases {
    mutating func closeFeed(_ feed: JobID)
    mutating func dropAttachments(_ handles: [AttachmentHandle])
    mutating func noteRefusal(_ refused: RefusedRevision)
}

extension PassiveReleases {
    package mutating func closeFeed(_ feed: JobID) {}
    package mutating func dropAttachments(_ handles: [AttachmentHandle]) {}
    package mutating func noteRefusal(_ refused: RefusedRevision) {}

    mutating func end(_ action: PassiveAction) {
        if case .closeFeed(let feed) = action { closeFeed(feed) }
        if case .dropAttachments(let handles) = action { dropAttachments(handles) }
        if case .noteRefusal(let refused) = action { noteRefusal(refused) }
    }
}

/// Answers a passive session's jobs in memory, one method a job: by a model, a recording or at random. A store answers
/// the jobs of its tests; the others fail.
package protocol PassiveStore: PassiveReleases {
    mutating func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) -> PassiveResult
    mutating func loadCheckpoint(_ client: String, in collection: Int) -> PassiveResult
    mutating func saveCheckpoint(
        _ client: String, in collection: Int, revision: String?, body: [UInt8]
    ) -> PassiveResult
    mutating func openFeed(_ feed: JobID, in collection: Int, options: SubChanges) -> PassiveResult
    /// `nil` while there are no new rows.
    mutating func nextRows(of feed: JobID, limit: Int) -> PassiveResult?
    mutating func checkAnnounced(_ rows: [ChangeRow], in collection: Int) -> PassiveResult
    mutating func checkProposed(_ rows: [ProposedRow], in collection: Int) -> PassiveResult
    mutating func loadSources(_ sources: [DeltaSource], in collection: Int) -> PassiveResult
    mutating func storeRevisions(_ revisions: [IncomingRevision], in collection: Int) -> PassiveResult
    mutating func loadRevisions(_ requests: [RevisionRequest], in collection: Int) -> PassiveResult
    mutating func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) -> PassiveResult
    /// `nil` for a missing one.
    ///
    /// - Parameter number: of the request.
    mutating func attachment(_ digest: String, of documentID: String, for number: UInt32) -> [UInt8]?
}

extension PassiveStore {
    package mutating func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) -> PassiveResult {
        .unexpected
    }
    package mutating func loadCheckpoint(_ client: String, in collection: Int) -> PassiveResult { .unexpected }
    package mutating func saveCheckpoint(
        _ client: String, in collection: Int, revision: String?, body: [UInt8]
    ) -> PassiveResult { .unexpected }
    package mutating func openFeed(_ feed: JobID, in collection: Int, options: SubChanges) -> PassiveResult { .done }
    package mutating func nextRows(of feed: JobID, limit: Int) -> PassiveResult? { .unexpected }
    package mutating func checkAnnounced(_ rows: [ChangeRow], in collection: Int) -> PassiveResult { .unexpected }
    package mutating func checkProposed(_ rows: [ProposedRow], in collection: Int) -> PassiveResult { .unexpected }
    package mutating func loadSources(_ sources: [DeltaSource], in collection: Int) -> PassiveResult { .unexpected }
    package mutating func storeRevisions(_ revisions: [IncomingRevision], in collection: Int) -> PassiveResult {
        .unexpected
    }
    package mutating func loadRevisions(_ requests: [RevisionRequest], in collection: Int) -> PassiveResult {
        .unexpected
    }
    package mutating func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) -> PassiveResult { .done }
    package mutating func attachment(_ digest: String, of documentID: String, for number: UInt32) -> [UInt8]? { nil }
}

/// How a piece of work ends.
enum PassiveAnswer {
    case result(JobID, PassiveResult)
    case message(BLIPOutgoing)
}

extension PassiveStore {
    /// `nil` where there is no answer yet.
    mutating func answer(to action: PassiveAction) -> PassiveAnswer? {
        if case .serveAttachment(let number, _, let documentID, let digest, let compresses) = action {
            let content = attachment(digest, of: documentID, for: number)
            return .message(
                content.map { .response(to: number, properties: [:], body: .bytes($0), isCompressed: compresses) }
                    ?? .failure(to: number, .http(404, message: "missing")))
        }
        guard let job = action.job, let result = result(of: action) else { return nil }
        return .result(job, result)
    }

    private mutating func result(of action: PassiveAction) -> PassiveResult? {
        switch action {
        case .resolveCollections(_, let names, let ids): resolveCollections(names, checkpointIDs: ids)
        case .loadCheckpoint(_, let collection, let client): loadCheckpoint(client, in: collection)
        case .saveCheckpoint(_, let collection, let client, let revision, let body):
            saveCheckpoint(client, in: collection, revision: revision, body: body)
        case .openFeed(let id, let collection, let options, _): openFeed(id, in: collection, options: options)
        case .nextRows(_, let feed, let limit): nextRows(of: feed, limit: limit)
        case .checkAnnounced(_, let collection, let rows): checkAnnounced(rows, in: collection)
        case .checkProposed(_, let collection, let rows): checkProposed(rows, in: collection)
        case .loadSources(_, let collection, let sources): loadSources(sources, in: collection)
        case .storeRevisions(_, let collection, let revisions): storeRevisions(revisions, in: collection)
        case .loadRevisions(_, let collection, let requests, _): loadRevisions(requests, in: collection)
        case .keepAttachment(_, let handle, let bytes): keepAttachment(handle, bytes: bytes)
        case .send, .closeFeed, .serveAttachment, .dropAttachments, .noteRefusal, .pauseReading, .resumeReading, .close:
            .unexpected
        }
    }
}

extension PassiveResult {
    static var unexpected: PassiveResult { .failed(.http(500, message: "The test's store does not answer that")) }
}
