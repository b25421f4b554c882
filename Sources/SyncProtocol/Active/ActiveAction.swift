import BLIPProtocol
import DocumentValues

/// The actions that an active session requests from its driver. Collections are indexes into the configuration's
/// collections.
///
/// The driver carries out the actions in order. If an action has a job's id, its result goes to `ActiveSession.complete`
/// under that id.
package enum ActiveAction: Sendable, Equatable {
    case send([BLIPOutgoing])
    /// Local changes that the gateway does not know, in the order of their sequences, without those that a push filter
    /// keeps back; ``ActiveResult/changes``. `includingKnown`: also changes that the gateway is believed to have.
    case readChanges(JobID, collection: Int, after: UInt64, limit: Int, includingKnown: Bool)
    /// Documents that the gateway refused for lack of access, and documents that an earlier push filter has kept back
    /// but the present one does not; ``ActiveResult/refused``.
    case readRefused(JobID, collection: Int)
    /// ``ActiveResult/revisions``, one a document; `withBases`: with the bodies that the gateway has, if this side
    /// still has them. Documents with blobs need these bodies in any case.
    case loadRevisions(JobID, collection: Int, [String], withBases: Bool)
    /// The gateway has these.
    case markKnown(collection: Int, [AcknowledgedRevision])
    /// The gateway refused a revision for good.
    case noteRefusal(collection: Int, PushCandidate, SyncFailure)
    /// ``ActiveResult/wanted``, one a row.
    case checkAnnounced(JobID, collection: Int, [AnnouncedRevision])
    /// The bodies of live revisions that the store has reported as present; ``ActiveResult/sources``, one a revision.
    case loadSources(JobID, collection: Int, [DeltaSource])
    /// Asks the pull filter and checks which blobs are missing; ``ActiveResult/examined``, one a revision.
    case examine(JobID, collection: Int, [PulledRevision])
    /// Sends the request under this tag. The driver itself receives the reply and keeps its bytes; a reply with more
    /// than `longest` bytes counts as failed; ``ActiveResult/fetched``.
    case fetchAttachment(JobID, collection: Int, GetAttachment, longest: UInt64, tag: UInt64)
    /// In one transaction; ``ActiveResult/stored``, one a revision.
    case storeRevisions(JobID, collection: Int, [PulledRevision])
    /// Access to these documents is lost: purge them, unless that is switched off or a filter objects;
    /// ``ActiveResult/purged``, one a document.
    case purge(JobID, collection: Int, [LostDocument])
    /// Resolves the conflicts of these documents, or (`nil`) all those that earlier sessions left over;
    /// ``ActiveResult/resolved``.
    case resolveConflicts(JobID, collection: Int, [String]?)
    case saveLocalCheckpoint(collection: Int, [UInt8])
    /// Answer request `number` with the bytes of a blob.
    case serveAttachment(number: UInt32, digest: String, compresses: Bool)
    /// Answer request `number` with the proof that this side has the blob.
    case proveAttachment(number: UInt32, digest: String, nonce: [UInt8])
    case report([DocumentEvent])
    /// The gateway does not have these optional collections; the session goes on without them.
    case leaveOut(collections: [Int])
    case status(ActiveStatus)
    /// Call `timerFired` at this time; replaces an earlier request.
    case wakeUp(at: Instant)
    /// The last action.
    case close(code: UInt16, reason: String, SyncFailure?)
}

extension ActiveAction: SessionAction {}

/// The result of a job.
package enum ActiveResult: Sendable, Equatable {
    /// `unreadable`: documents that cannot be pushed, since they are damaged here.
    case changes(
        [LocalChange], unreadable: [UnreadableDocument] = [], through: UInt64, isCaughtUp: Bool)
    case refused(RepeatedChanges)
    /// `failures`: why a revision could not be read, by its position; its entry is `nil`.
    case revisions([LocalRevision?], failures: [Int: SyncFailure] = [:])
    case wanted([RowDecision])
    /// `nil` for a body that this side does not have any more.
    case sources([[UInt8]?])
    case examined([Examination])
    case fetched(SyncFailure?)
    case stored([InsertOutcome<SyncFailure>])
    case purged([PurgeVerdict])
    case resolved([ResolvedConflict])
}

/// Whether a session has something to do.
package struct ActiveStatus: Sendable, Hashable {
    package var isBusy: Bool
    /// The numbers of completed documents and of all known ones, in both directions.
    package var completed: UInt64
    package var total: UInt64
}

/// The result for one document.
package struct DocumentEvent: Sendable, Hashable {
    package var collection: Int
    package var documentID: String
    package var isPush: Bool
    package var isDeleted = false
    package var isAccessLost = false
    /// False if access is lost to a document that this side did not have any more.
    package var wasHere = true
    package var failure: SyncFailure?

    package init(
        collection: Int, documentID: String, isPush: Bool, isDeleted: Bool = false, isAccessLost: Bool = false,
        failure: SyncFailure? = nil
    ) {
        self.collection = collection
        self.documentID = documentID
        self.isPush = isPush
        self.isDeleted = isDeleted
        self.isAccessLost = isAccessLost
        self.failure = failure
    }
}
