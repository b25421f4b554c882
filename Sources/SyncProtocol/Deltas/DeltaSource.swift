import DocumentValues

/// A revision to which another one came as a difference.
public struct DeltaSource: Sendable, Hashable {
    public var documentID: String
    public var revision: RevisionID

    package init(documentID: String, revision: RevisionID) {
        self.documentID = documentID
        self.revision = revision
    }
}
