/// A revision that a remote announces; it has yet to be looked up here.
package struct AnnouncedRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let isDeleted: Bool

    package init(documentID: String, revision: RevisionID, isDeleted: Bool) {
        self.documentID = documentID
        self.revision = revision
        self.isDeleted = isDeleted
    }
}

/// The answer to a revision that a remote announces.
package enum RowDecision: Sendable, Hashable {
    /// It is here already; that the remote has it is recorded.
    case have
    /// Send it; these ancestors are known here, the best one first.
    case wanted(ancestors: [RevisionID])
    /// The document is damaged here, so that its revisions cannot be compared; it is not sent.
    case unreadable(reason: String)
}
