import DocumentValues

/// A document that the remote does not know in its present revision.
package struct LocalChange: Sendable, Hashable {
    package let sequence: UInt64
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let isDeleted: Bool
    /// What the remote is known to have.
    package let remoteRevision: RevisionID?
    /// Bytes of the body.
    package let bodySize: Int
}

/// A look at the documents after a sequence, in the order of their sequences.
package struct LocalChangeBatch: Sendable {
    package let changes: [LocalChange]
    /// Everything up to this sequence has been looked at; where to go on.
    package let through: UInt64
    /// Nothing follows for now.
    package let isCaughtUp: Bool
}

/// A document's current revision.
package struct LocalRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let history: RevisionHistory
    package let isDeleted: Bool
    /// JSON without reserved members; `{}` for a tombstone.
    package let body: [UInt8]
    package let sequence: UInt64
    /// What this remote is known to have.
    package let remoteRevision: RevisionID?
    /// Whether the body refers to blobs.
    package let hasBlobs: Bool
    /// Whether this remote has this very content.
    package var isKnownToRemote = false
    /// Whether a revision of this remote is kept beside this one until a resolver has looked at them.
    package var isInConflict = false
    /// Under which name the content goes to this remote, where the remote is on a branch that lost against another
    /// remote's: a child of `remoteRevision`.
    package var branch: RevisionID?
}

/// What a remote is known to have.
package struct AcknowledgedRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    /// Our revision of the same content, where the remote has it under another name.
    package let localRevision: RevisionID?

    package init(documentID: String, revision: RevisionID, localRevision: RevisionID? = nil) {
        self.documentID = documentID
        self.revision = revision
        self.localRevision = localRevision
    }
}

/// A revision as it came from a remote; the body is without members that begin with `_`, except for `_attachments`.
package struct PulledRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let history: RevisionHistory
    package let isDeleted: Bool
    package let body: [UInt8]

    package init(
        documentID: String, revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8]
    ) {
        self.documentID = documentID
        self.revision = revision
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
    }
}

/// A revision that a remote announces.
package struct AnnouncedRow: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let isDeleted: Bool

    package init(documentID: String, revision: RevisionID, isDeleted: Bool) {
        self.documentID = documentID
        self.revision = revision
        self.isDeleted = isDeleted
    }
}

/// What to answer to a row that a remote announces.
package enum RowDecision: Sendable, Hashable {
    /// It is here already; that the remote has it is recorded.
    case have
    /// Send it; these ancestors are known here, the best one first.
    case wanted(ancestors: [RevisionID])
}

/// What became of a pulled revision.
package enum InsertOutcome: Sendable {
    case inserted
    case alreadyThere
    /// What is here has the same content under another id, which stays.
    case sameContent
    /// Kept beside the local revision until it is resolved.
    case conflict
    case failed(StoreError)
}
