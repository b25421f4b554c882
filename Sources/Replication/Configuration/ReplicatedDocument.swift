import DocumentStore
import DocumentValues

/// The result for one document.
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
    /// False if access was lost to a document that was already gone, so that nothing changes.
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

/// An attachment that was sent or received.
package struct TransferredAttachment: Sendable {
    package let isPush: Bool
    package let digest: BlobDigest
    package let bytes: UInt64
}
