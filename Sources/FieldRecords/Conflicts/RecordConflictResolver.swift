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
        let merged = Self.merged(kind, base: conflict.baseDocument?.body, local: local?.body, remote: remote?.body)
        guard let merged else { return nil }
        if let remote, ValueOrder.isSame(remote.body, merged) { return remote }
        if let local, ValueOrder.isSame(local.body, merged) { return local }
        return MutableDocument(id: conflict.documentID, body: merged)
    }

    /// The merge as the gateway takes it, which keeps who created a record. Where it has the record as deleted, who
    /// brings it back is the creator: the gateway cannot know any more who it was, and takes nobody's name but the
    /// writer's.
    static func merged(
        _ kind: RecordKind?, base: JSONObject?, local: JSONObject?, remote: JSONObject?
    ) -> JSONObject? {
        guard var merged = RecordMerge.merge(kind, base: base, local, remote) else { return nil }
        let creator = remote.map { $0["createdBy"] } ?? merged["changedBy"] ?? merged["createdBy"]
        if merged["createdBy"] != creator { merged["createdBy"] = creator }
        return merged
    }
}
