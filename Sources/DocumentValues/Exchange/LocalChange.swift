/// A document that a remote does not know in its present revision, as the replicator reads it from the store.
package struct LocalChange: Sendable, Hashable {
    package var sequence: UInt64
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    /// The revision that the remote is believed to have.
    package var remoteRevision: RevisionID?
    package let isDeleted: Bool
    /// Bytes of the body.
    package let bodySize: Int

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

    package init(_ revision: LocalRevision) {
        self.init(
            sequence: revision.sequence, documentID: revision.documentID, revision: revision.revision,
            remoteRevision: revision.remoteRevision, isDeleted: revision.isDeleted, bodySize: revision.body.count)
    }
}
