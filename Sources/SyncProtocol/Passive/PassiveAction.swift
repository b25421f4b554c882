import BLIPProtocol
import DocumentValues
import NIOCore

/// The actions that a passive session requests from its driver. Collections are given by their index in
/// `getCollections`; without that message the index is 0.
package enum PassiveAction: Sendable, Equatable {
    case send([BLIPOutgoing])
    /// ``PassiveResult/collections(_:)``, in the order of the names.
    case resolveCollections(JobID, names: [CollectionName], checkpointIDs: [String])
    /// ``PassiveResult/checkpoint(_:revision:)``
    case loadCheckpoint(JobID, collection: Int, client: String)
    /// ``PassiveResult/saved(revision:)``
    case saveCheckpoint(JobID, collection: Int, client: String, revision: String?, body: [UInt8])
    /// Starts a feed, which is identified by the job's id until it is closed; ``PassiveResult/done``.
    ///
    /// The sequence is that of the options, which every peer has to read.
    case openFeed(JobID, collection: Int, SubChanges, since: SequenceID)
    /// ``PassiveResult/rows(_:isCaughtUp:)`` as soon as there are any. If the feed has been read to its end, the result
    /// comes at once for a one-shot feed or the first time, and otherwise with the next new rows.
    case nextRows(JobID, feed: JobID, limit: Int)
    /// Does nothing if the driver has no such feed.
    case closeFeed(JobID)
    /// ``PassiveResult/wanted(_:)``, one an element: for the rows that a client announces to a gateway that allows
    /// conflicts.
    case checkAnnounced(JobID, collection: Int, [ChangeRow])
    /// ``PassiveResult/proposals(_:)``, one an element.
    case checkProposed(JobID, collection: Int, [ProposedRow])
    /// ``PassiveResult/sources(_:)``: the bodies with which pushed differences become whole. The driver returns the
    /// first ones, as many as it can hold at once; the others are requested again.
    case loadSources(JobID, collection: Int, [DeltaSource])
    /// ``PassiveResult/stored(_:)``, one an element.
    case storeRevisions(JobID, collection: Int, [IncomingRevision])
    /// ``PassiveResult/revisions(_:)``: the first ones, at least one, and no further one after that many bytes; the
    /// others are requested again.
    case loadRevisions(JobID, collection: Int, [RevisionRequest], upTo: Int)
    /// The driver answers request `number` itself, streaming the bytes; 404 if they are not there.
    case serveAttachment(number: UInt32, collection: Int, documentID: String, digest: String, compresses: Bool)
    /// Appends bytes to incoming content, which the first of these actions begins; ``PassiveResult/done``. There is
    /// never more than one such job for the same content.
    case keepAttachment(JobID, AttachmentHandle, ByteBuffer)
    /// Drops content that has been stored, or that will never be.
    case dropAttachments([AttachmentHandle])
    /// Notes a revision that the session has refused without the store.
    case noteRefusal(RefusedRevision)
    case pauseReading
    case resumeReading
    /// The last action.
    case close(code: UInt16, reason: String)
}

extension PassiveAction: SessionAction {}

/// The result of a job.
package enum PassiveResult: Sendable, Equatable {
    case done
    case collections([CollectionAnswer])
    /// `nil` if nothing is stored.
    case checkpoint(JSONObject?, revision: String?)
    case saved(revision: String)
    case rows([ChangeRow], isCaughtUp: Bool)
    case wanted([ChangesReply.Entry])
    case proposals([ProposeChangesReply.Entry])
    /// Bodies in wire format, with `_attachments`. `nil` for a body that is not stored any more, for a tombstone, and
    /// for a body that the client may not see, since a difference would disclose its content. At least one element.
    case sources([[UInt8]?])
    case stored([StoreOutcome])
    case revisions([LoadedRevision])
    case failed(BLIPErrorReply)
}
