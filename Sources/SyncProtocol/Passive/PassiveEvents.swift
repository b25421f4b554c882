import BLIPProtocol
import DocumentValues
import NIOCore

/// Names content that the driver keeps for a session while it comes in.
package struct AttachmentHandle: Sendable, Hashable {
    package let number: UInt64

    init(_ number: UInt64) { self.number = number }
}

/// What a passive session asks its driver to do. Collections are meant by their place in `getCollections`, or by 0.
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

/// What a gateway says of a collection that a client names.
package enum CollectionAnswer: Sendable, Hashable {
    case unknown
    case known(checkpoint: JSONObject?, revision: String?)
}

/// A revision that a client asked for.
package struct RevisionRequest: Sendable, Hashable {
    package let documentID: String
    /// Empty for whatever is current.
    package let revision: String
    /// What the client has of the document: the answer may be a difference to it.
    package var deltaSource: RevisionID?
}

/// What there is of a revision that was asked for.
package enum LoadedRevision: Sendable, Hashable {
    /// The leaf that was asked for, or the current revision, which may be newer. The body carries `_attachments` where
    /// there are any, whose digests are beside it.
    case found(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8], attachments: [String])
    /// The same as a difference to the revision that the request names, which the client may see.
    case delta(
        from: RevisionID, revision: RevisionID, history: RevisionHistory, body: [UInt8], attachments: [String])
    /// The client may not see it (any more): it gets `{"_removed":true}`.
    case removed(RevisionHistory)
    /// An HTTP status and why.
    case unavailable(Int, String)

    var isDelta: Bool {
        switch self {
        case .delta: true
        case .found, .removed, .unavailable: false
        }
    }

    package var bodyCount: Int {
        switch self {
        case .found(_, _, _, let body, _), .delta(_, _, _, let body, _): body.count
        case .removed, .unavailable: 0
        }
    }
}

/// A revision that a client pushes, with its body taken apart.
package struct IncomingRevision: Sendable, Hashable {
    package var documentID: String
    package var revision: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    /// JSON without reserved members.
    package var body: [UInt8]
    /// The `_attachments` member.
    package var attachments: JSONObject?
    /// The `_exp` member.
    package var expiry: JSONValue?
    /// The client wants no conflict made of it.
    package var refusesConflicts = false
    /// It came as a difference.
    package var isFromDelta = false
    /// Bytes of the message's body as it came: of a difference its own.
    package var messageBytes = 0
    /// What the client gave when it was asked, by digest.
    package var provided: [Name: ProvidedAttachment] = [:]
}

/// An attachment's bytes, which the driver has, or the proof that the client has them.
package enum ProvidedAttachment: Sendable, Hashable {
    case content(AttachmentHandle)
    case proof(String, nonce: [UInt8])
}

/// An attachment that has to come from the client before its revision can be stored.
package enum AttachmentNeed: Sendable, Hashable {
    case content(digest: String)
    /// The bytes are here already; the client has to show that it has them, too.
    case proof(digest: String, nonce: [UInt8])

    package var digest: String {
        switch self {
        case .content(let digest), .proof(let digest, _): digest
        }
    }
}

/// What became of a pushed revision.
package enum StoreOutcome: Sendable, Hashable {
    case stored
    case needs([AttachmentNeed])
    case refused(BLIPErrorReply)
}
