import DocumentStore
import DocumentValues

/// What became of one document.
public struct ReplicatedDocument: Sendable {
    /// Of the document.
    public let id: String
    /// Whether it was deleted, or access to it was lost.
    public let flags: DocumentFlags
    /// A `ReplicationError`.
    public let error: (any Error)?
    /// The name of its collection's scope.
    public let scope: String
    /// The name of its collection.
    public let collection: String
    /// False where access was lost to a document that was not here any more, which changes nothing.
    package let wasHere: Bool
}

/// A conflict that was resolved during a replication.
package struct ResolvedDocumentConflict: Sendable {
    package enum Winner: String, Sendable {
        case local, remote, merged
    }

    package let scope: String
    package let collection: String
    package let id: String
    package let winner: Winner
}

/// An attachment that went over the wire.
package struct TransferredAttachment: Sendable {
    package let isPush: Bool
    package let digest: BlobDigest
    package let bytes: UInt64
}
