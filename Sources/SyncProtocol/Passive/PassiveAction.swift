import BLIPProtocol
import DocumentValues
import NIOCore

/// What a passive session asks its driver to do. Collections are given by their index in `getCollections`, or by 0.
package enum PassiveAction: Sendable, Equatable {
    case send([BLIPOutgoing])
    /// ``PassiveResult/collections(_:)``, in the order of the names.
    case resolveCollections(JobID, names: [String], checkpointIDs: [String])
    /// ``PassiveResult/checkpoint(_:revision:)``
    case loadCheckpoint(JobID, collection: Int, client: String)
    /// ``PassiveResult/saved(revision:)``
    case saveCheckpoint(JobID, collection: Int, client: String, revision: String?, body: [UInt8])
    /// Starts a feed, which the job's name represents until it is closed; ``PassiveResult/done``.
    case openFeed(JobID, collection: Int, SubChanges)
    /// ``PassiveResult/rows(_:isCaughtUp:)`` as soon as there are any; from a feed that has all been read, at once (one
    /// shot, or the first time) or when something new comes (continuous, later).
    case nextRows(JobID, feed: JobID, limit: Int)
    case closeFeed(JobID)
    /// ``PassiveResult/wanted(_:)``, one an element: what a client announces to a gateway that allows conflicts.
    case checkAnnounced(JobID, collection: Int, [ChangeRow])
    /// ``PassiveResult/proposals(_:)``, one an element.
    case checkProposed(JobID, collection: Int, [ProposedRow])
    /// ``PassiveResult/sources(_:)``: what is needed before a difference can be stored as a whole. From the first on, as
    /// many as the driver holds at once; the others are asked for again.
    case loadSources(JobID, collection: Int, [DeltaSource])
    /// ``PassiveResult/stored(_:)``, one an element.
    case storeRevisions(JobID, collection: Int, [IncomingRevision])
    /// ``PassiveResult/revisions(_:)``: from the first on, at least one, and no further one when there are that many
    /// bytes; the others are asked for again.
    case loadRevisions(JobID, collection: Int, [RevisionRequest], upTo: Int)
    /// The driver answers request `number` itself, streaming the bytes; 404 if they are not there.
    case serveAttachment(number: UInt32, collection: Int, documentID: String, digest: String, compresses: Bool)
    /// Adds bytes to content that comes in, the first time to none; ``PassiveResult/done``. Of one content there is
    /// never more than one such job.
    case keepAttachment(JobID, AttachmentHandle, ByteBuffer)
    /// Forgets content: it is stored by now, or will never be.
    case dropAttachments([AttachmentHandle])
    /// Writes down what the session has refused without the store.
    case noteRefusal(RefusedRevision)
    case pauseReading
    case resumeReading
    case close(code: UInt16, reason: String)
}

/// The result of a job.
package enum PassiveResult: Sendable, Equatable {
    case done
    case collections([CollectionAnswer])
    /// `nil` where nothing is stored.
    case checkpoint(JSONObject?, revision: String?)
    case saved(revision: String)
    case rows([ChangeRow], isCaughtUp: Bool)
    case wanted([ChangesReply.Entry])
    case proposals([ProposeChangesReply.Entry])
    /// Bodies as they go over the wire, with `_attachments`; `nil` for one that is not here any more, is a tombstone, or
    /// may not be seen by the client: it would learn what is in it. At least one element.
    case sources([[UInt8]?])
    case stored([StoreOutcome])
    case revisions([LoadedRevision])
    case failed(BLIPErrorReply)
}
