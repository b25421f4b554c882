/// A revision that a remote is known to have.
package struct AcknowledgedRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    /// Our revision of the same content, if the remote has it under another id.
    package let localRevision: RevisionID?

    package init(documentID: String, revision: RevisionID, localRevision: RevisionID? = nil) {
        self.documentID = documentID
        self.revision = revision
        self.localRevision = localRevision
    }
}
