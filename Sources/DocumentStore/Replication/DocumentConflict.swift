import DocumentValues

/// A local revision and a remote one of which neither descends from the other.
package struct DocumentConflict: Sendable, Hashable {
    package let documentID: String
    package let local: LocalRevision
    /// `sequence` is 0.
    package let remote: LocalRevision
    /// The body both sides started from, where it is still known.
    package let base: [UInt8]?
}

/// How a conflict ends. In a revision tree the remote's branch always goes on; what differs is what is put on top.
package enum ConflictResolution: Sendable, Hashable {
    /// The remote's revision as it is; over a live local revision a remote deletion gets one more tombstone.
    case remote
    /// The local content as a new revision on top of the remote's.
    case local
    /// Another content as a new revision on top of the remote's.
    case merged([UInt8])
    /// A new tombstone on top of the remote's revision.
    case deleted
}

/// A document that was purged although it had edits which no remote ever got.
package struct QuarantinedDocument: Sendable, Hashable, Identifiable {
    package let id: Int64
    package let collection: CollectionName
    package let documentID: String
    package let revision: RevisionID
    package let isDeleted: Bool
    package let body: [UInt8]
    /// Which remote took the access away.
    package let remote: String
    package let reason: String
    /// Seconds since 1970.
    package let date: Double
}

/// A push that the remote refused; it stays until the document changes, is accepted or is purged.
package struct RejectedPush: Sendable, Hashable {
    /// To refer to it; the same as long as it is refused.
    package let number: Int64
    package let collection: CollectionName
    package let documentID: String
    package let revision: RevisionID
    package let remote: String
    /// The remote's error number, such as 403.
    package let code: Int
    package let reason: String
    /// When it was refused last, in seconds since 1970.
    package let date: Double
    /// When this revision was refused first, in seconds since 1970.
    package let firstDate: Double
    /// Somebody knows of it and leaves it as it is; another reason ends that.
    package let isAcknowledged: Bool
}
