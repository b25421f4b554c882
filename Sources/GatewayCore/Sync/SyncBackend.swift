import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol

/// The database of a sync session, for its user; all calls may be made at the same time.
package protocol SyncBackend: Sendable {
    var hasDefaultCollection: Bool { get }
    /// Whether revisions may be sent as differences, in both directions.
    var usesDeltas: Bool { get }
    /// Documents may have several live leaves.
    var allowsConflicts: Bool { get }
    /// Bytes of one attachment that a client may push.
    var attachmentBytes: Int { get }

    /// One answer for each name. From then on a collection is identified by its index in `names`.
    func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) async throws -> [CollectionAnswer]

    /// `nil` when none is stored.
    func checkpoint(_ client: String, collection: Int) async throws -> (body: JSONObject, revision: String)?

    /// - Returns: the new revision.
    func saveCheckpoint(_ client: String, collection: Int, revision: String?, body: [UInt8]) async throws -> String

    /// - Parameter since: the sequence of the options.
    func openFeed(_ options: SubChanges, since: SequenceID, collection: Int) async throws -> any SyncFeed

    /// Which of these are unknown here; one answer for each row.
    func checkAnnounced(_ rows: [ChangeRow], collection: Int) async throws -> [ChangesReply.Entry]

    func checkProposed(_ rows: [ProposedRow], collection: Int) async throws -> [ProposeChangesReply.Entry]

    func store(_ revisions: [IncomingRevision], collection: Int) async throws -> [StoreOutcome]

    /// Bodies of the first of these, with `_attachments`: as many as may be in memory at once, at least one. `nil` for
    /// a revision that is not here, not live, or not visible to the user.
    func sources(_ sources: [DeltaSource], collection: Int) async throws -> [[UInt8]?]
    /// Appends to the content of a handle, which begins with the first call. Never called again for a handle before it
    /// has returned.
    func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) async throws

    func dropAttachments(_ handles: [AttachmentHandle])

    func noteRefusal(_ refused: RefusedRevision)

    /// Loads the first of these: at least one, and no more when there are enough bytes.
    func load(_ requests: [RevisionRequest], collection: Int, upTo bytes: Int) async throws -> [LoadedRevision]

    /// The content of an attachment, to be read while it is sent; `nil` if it is not there.
    func attachment(_ digest: String, of documentID: String, collection: Int) async throws -> BLIPBody?
}

extension SyncBackend {
    /// Performs a session's requests to the database that take one call. Feeds, and attachments that are sent, are the
    /// connection's, which does not call this for them.
    package func result(of action: PassiveAction) async throws -> PassiveResult {
        switch action {
        case .resolveCollections(_, let names, let checkpointIDs):
            return .collections(try await resolveCollections(names, checkpointIDs: checkpointIDs))
        case .loadCheckpoint(_, let collection, let client):
            let stored = try await checkpoint(client, collection: collection)
            return .checkpoint(stored?.body, revision: stored?.revision)
        case .saveCheckpoint(_, let collection, let client, let revision, let body):
            return .saved(
                revision: try await saveCheckpoint(
                    client, collection: collection, revision: revision, body: body))
        case .checkAnnounced(_, let collection, let rows):
            return .wanted(try await checkAnnounced(rows, collection: collection))
        case .checkProposed(_, let collection, let rows):
            return .proposals(try await checkProposed(rows, collection: collection))
        case .loadSources(_, let collection, let asked):
            return .sources(try await sources(asked, collection: collection))
        case .storeRevisions(_, let collection, let revisions):
            return .stored(try await self.store(revisions, collection: collection))
        case .loadRevisions(_, let collection, let requests, let bytes):
            return .revisions(try await load(requests, collection: collection, upTo: bytes))
        case .keepAttachment(_, let handle, let bytes):
            try await keepAttachment(handle, bytes: bytes)
            return .done
        case .send, .openFeed, .nextRows, .closeFeed, .serveAttachment, .dropAttachments, .noteRefusal,
            .pauseReading, .resumeReading, .close:
            return .done
        }
    }
}

/// The changes of one collection for a client.
package protocol SyncFeed: Sendable {
    /// The next rows, at most `limit`. The first time that there are none left it returns an empty or partial batch
    /// that is caught up; a continuous feed then waits for news.
    func next(limit: Int) async throws -> SyncFeedBatch
}

package struct SyncFeedBatch: Sendable, Hashable {
    package let rows: [ChangeRow]
    package let isCaughtUp: Bool

    package init(rows: [ChangeRow], isCaughtUp: Bool) {
        self.rows = rows
        self.isCaughtUp = isCaughtUp
    }
}
