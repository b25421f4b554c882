import DocumentStore
import DocumentValues
import FieldModels
import Replication

/// Resolves conflicts between two laptops by merging the records: see `RecordMerge`.
public struct RecordConflictResolver: ConflictResolverProtocol, Sendable {
    private let kind: RecordKind

    public init(_ kind: RecordKind) { self.kind = kind }

    /// For whatever replicates a folder: `nil` where the folder is no worker's, or the collection holds no records.
    ///
    /// - Parameter folder: its path.
    public init?(collection: CollectionName, folder: String) {
        guard FieldFolder(path: folder).isInitialized, let kind = RecordKind(collection: collection) else { return nil }
        self.init(kind)
    }

    /// - Returns: one of the two documents where it is what the merge comes to, so that no revision is made without
    ///   need; `nil` where both, or one side without the other's changing anything, have deleted the record.
    public func resolve(conflict: Conflict) -> Document? {
        let (local, remote) = (conflict.localDocument, conflict.remoteDocument)
        let merged = RecordMerge.merge(kind, base: conflict.baseDocument?.body, local?.body, remote?.body)
        guard let merged else { return nil }
        if let remote, ValueOrder.isSame(remote.body, merged) { return remote }
        if let local, ValueOrder.isSame(local.body, merged) { return local }
        return MutableDocument(id: conflict.documentID, body: merged)
    }
}
