import DocumentValues

// MARK: - Push

/// A local revision that the gateway may lack.
package struct PushCandidate: Sendable, Hashable {
    package var sequence: UInt64
    package var documentID: String
    package var revision: RevisionID
    /// What the gateway is believed to have.
    package var remoteRevision: RevisionID?
    package var isDeleted: Bool
    package var bodySize: Int
    /// It was refused in an earlier session and is tried again in silence: no error event if it fails once more.
    package internal(set) var isQuietRetry = false
    /// A push filter kept it back when its change was read: nobody has proposed it before.
    package var wasKeptBack = false
    /// The gateway could not take it for now, and that is reported; it is tried again in the same session.
    var wasPostponed = false
    /// The gateway could do nothing with a difference.
    var isSentWhole = false

    package init(
        sequence: UInt64, documentID: String, revision: RevisionID, remoteRevision: RevisionID? = nil,
        isDeleted: Bool = false, bodySize: Int = 0
    ) {
        self.sequence = sequence
        self.documentID = documentID
        self.revision = revision
        self.remoteRevision = remoteRevision
        self.isDeleted = isDeleted
        self.bodySize = bodySize
    }
}

/// A local document's current revision, whole.
package struct OutgoingRevision: Sendable, Hashable {
    package var sequence: UInt64
    package var revision: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    package var body: [UInt8]
    package var hasBlobs: Bool
    package var remoteRevision: RevisionID?
    /// The body that the gateway has, where it was asked for or this one has blobs, and it is here.
    package var base: [UInt8]?
    /// Whether the gateway has this very content.
    package var isKnownToRemote = false
    /// Whether a revision of the gateway's is kept beside this one until a resolver has looked at them.
    package var isInConflict = false
    /// Under which name it goes to the gateway, where that is on a branch which lost against another gateway's: a child
    /// of `remoteRevision`.
    package var branch: RevisionID?

    package init(
        sequence: UInt64, revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8],
        hasBlobs: Bool = false, remoteRevision: RevisionID? = nil, base: [UInt8]? = nil
    ) {
        self.sequence = sequence
        self.revision = revision
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
        self.hasBlobs = hasBlobs
        self.remoteRevision = remoteRevision
        self.base = base
    }
}

package struct KnownRevision: Sendable, Hashable {
    package var documentID: String
    package var revision: RevisionID
    /// Our revision of the same content, where the gateway has it under another name.
    package var localRevision: RevisionID?
    /// Only that the gateway has it is new; the local document may be another revision.
    package var isAncestor = false
}

// MARK: - Pull

/// A row of `changes` that has to be looked up.
package struct AnnouncedRevision: Sendable, Hashable {
    package var documentID: String
    package var revision: RevisionID
    package var isDeleted: Bool
}

package enum RowVerdict: Sendable, Hashable {
    case have
    case wanted(ancestors: [RevisionID])
}

/// A revision as it is to be stored: the body without reserved members, except for `_attachments` of other clients.
package struct ReceivedRevision: Sendable, Hashable {
    package var documentID: String
    package var revision: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    package var body: [UInt8]
}

/// A revision of which something has to be found out before it is stored.
package struct ExaminedRevision: Sendable, Hashable {
    package var revision: ReceivedRevision
    /// The blobs that its body names.
    package var blobs: [BlobMetadata]
}

package enum Examination: Sendable, Hashable {
    /// Digests of the blobs that are not here.
    case accepted(missing: [String])
    /// The pull filter does not want it.
    case vetoed
}

package enum InsertVerdict: Sendable, Hashable {
    case inserted
    case alreadyThere
    /// The local revision stays: it has this content under another id.
    case sameContent
    /// Stored beside the local revision.
    case conflict
    /// A blob that was here when the revision was examined is not here any more.
    case missingBlob(SyncFailure)
    case failed(SyncFailure)
}

package struct LostDocument: Sendable, Hashable {
    package var documentID: String
    /// What the gateway has of it; `nil` where that cannot be read.
    package var revision: RevisionID?
    /// What came of the document (except for `_removed` and its like); `nil` when only a row came.
    package var body: [UInt8]?
}

package enum PurgeVerdict: Sendable, Hashable {
    case purged
    case notThere
    /// Purging is switched off.
    case kept
    /// A pull filter objected.
    case vetoed
}

package struct ResolvedConflict: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The remote's content stays; nothing live is left to be pushed.
        case remote
        /// Local or merged content goes on top of the remote's.
        case local
        /// Deleted; perhaps with a tombstone that has yet to be pushed.
        case deleted
        /// It stays in conflict.
        case failed(SyncFailure, remoteIsDeleted: Bool)
    }

    package var documentID: String
    package var outcome: Outcome

    package init(documentID: String, outcome: Outcome) {
        self.documentID = documentID
        self.outcome = outcome
    }
}
