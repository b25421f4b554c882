/// A document's current revision, whole, as it goes from the store to a remote.
package struct LocalRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let history: RevisionHistory
    package let isDeleted: Bool
    /// JSON without reserved members; `{}` for a tombstone that says nothing.
    package let body: [UInt8]
    /// 0 for one that is not the document's own, as that of a conflict.
    package let sequence: UInt64
    /// What the remote is known to have.
    package let remoteRevision: RevisionID?
    /// Whether the body refers to blobs.
    package let hasBlobs: Bool
    /// Whether the remote has this very content.
    package var isKnownToRemote = false
    /// Whether a revision of the remote is kept beside this one until a resolver has looked at them.
    package var isInConflict = false
    /// Under which name the content goes to the remote, where that is on a branch which lost against another remote's: a
    /// child of `remoteRevision`.
    package var branch: RevisionID?
    /// The body that the remote has, where it was asked for or this one has blobs, and it is here.
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
