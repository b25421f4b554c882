import DocumentValues

/// The revisions that the gateway has accepted from a push, for the pull and for the store.
struct AcceptedRevisions: Sendable {
    /// How many revisions the gateway has accepted.
    private(set) var count: UInt64 = 0
    /// New documents that the gateway has accepted, for the pull.
    private var newDocuments: [(documentID: String, revision: RevisionID)] = []
    /// Revisions that the gateway is known to have, and that the store has not recorded yet.
    private var unrecorded: [AcknowledgedRevision] = []

    mutating func note(_ revision: AcknowledgedRevision) {
        count += 1
        unrecorded.append(revision)
    }

    mutating func noteNew(_ documentID: String, as revision: RevisionID) {
        newDocuments.append((documentID, revision))
    }

    /// The gateway has had the revision before, from an earlier session or from another client.
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
