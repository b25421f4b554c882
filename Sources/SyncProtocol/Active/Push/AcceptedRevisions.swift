import DocumentValues

/// What the gateway has taken of a push, for those who have to know of it.
struct AcceptedRevisions: Sendable {
    /// Revisions that it has accepted.
    private(set) var count: UInt64 = 0
    /// New documents that it has accepted, for the pull.
    private var newDocuments: [(documentID: String, revision: RevisionID)] = []
    /// What it is known to have, and the store does not know yet.
    private var unrecorded: [AcknowledgedRevision] = []

    mutating func note(_ revision: AcknowledgedRevision) {
        count += 1
        unrecorded.append(revision)
    }

    mutating func noteNew(_ documentID: String, as revision: RevisionID) {
        newDocuments.append((documentID, revision))
    }

    /// It has the revision from earlier, or from somebody else.
    mutating func noteFound(_ revision: AcknowledgedRevision) { unrecorded.append(revision) }

    mutating func takeNewDocuments() -> [(documentID: String, revision: RevisionID)] {
        defer { newDocuments = [] }
        return newDocuments
    }

    mutating func takeUnrecorded() -> [AcknowledgedRevision] {
        defer { unrecorded = [] }
        return unrecorded
    }
}
