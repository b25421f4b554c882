/// A document's current revision, whole, as it goes from the store to a remote.
package struct LocalRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let history: RevisionHistory
    package let isDeleted: Bool
    /// JSON without reserved members; `{}` for a tombstone without content.
    package let body: [UInt8]
    /// 0 for a revision that is not the document's present one, such as that of a conflict.
    package let sequence: UInt64
    /// The revision that the remote is known to have.
    package let remoteRevision: RevisionID?
    /// Whether the body refers to blobs.
    package let hasBlobs: Bool
    /// Whether the remote has this very content.
    package var isKnownToRemote = false
    /// Whether a revision of the remote is kept beside this one until a resolver has looked at them.
    package var isInConflict = false
    /// The id under which the content is sent to a remote whose branch lost against another remote's: a child of
    /// `remoteRevision`.
    package var branch: RevisionID?
    /// The remote's body, if it is here, and if the caller wants it or this revision has blobs.
    package var remoteBody: [UInt8]?

    package init(
        documentID: String, revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8],
        sequence: UInt64, remoteRevision: RevisionID? = nil, hasBlobs: Bool = false, isKnownToRemote: Bool = false
    ) {
        self.documentID = documentID
        self.revision = revision
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
        self.sequence = sequence
        self.remoteRevision = remoteRevision
        self.hasBlobs = hasBlobs
        self.isKnownToRemote = isKnownToRemote
    }
}
