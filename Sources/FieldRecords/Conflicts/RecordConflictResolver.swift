import DocumentStore
import DocumentValues
import FieldModels
import Replication

/// Resolves conflicts between two laptops by merging the records: see `RecordMerge`.
public struct RecordConflictResolver: ConflictResolverProtocol, Sendable {
    private let kind: RecordKind
    /// The laptop, and the user who sends from it; `nil` if they are unknown.
    private let laptop: (store: RecordStore, user: String, device: String?)?

    public init(_ kind: RecordKind) {
        self.kind = kind
        laptop = nil
    }

    /// For a laptop, which knows the author of its own deletions.
    ///
    /// - Parameters:
    ///   - user: the user who signs in at the gateway, and sends the merges.
    ///   - device: the name of the laptop.
    public init(_ kind: RecordKind, in store: RecordStore, user: String, device: String?) {
        self.kind = kind
        laptop = (store, user, device)
    }

    /// For whatever replicates a folder: `nil` where the folder is no worker's, or the collection holds no records.
    ///
    /// - Parameter folder: its path.
    public init?(collection: CollectionName, folder: String) {
        guard FieldFolder(path: folder).isInitialized, let kind = RecordKind(collection: collection) else { return nil }
        self.init(kind)
    }

    /// - Returns: one of the two documents if it equals the merge, so that no revision is made without need. `nil` if
    ///   both have deleted the record, if one side has and the other has not changed it, and if an assignment that was
    ///   only closed here is deleted there.
    public func resolve(conflict: Conflict) throws -> Document? {
        let (local, remote) = (conflict.localDocument, conflict.remoteDocument)
        let base = Self.commonVersion(of: conflict)
        if base == nil, let settled = withLostReview(conflict) { return settled }
        if base == nil, let remote, try isOnlyRead(conflict) { return remote }
        let deletion = local == nil ? try deletion(of: conflict.documentID) : nil
        let merged = Self.merged(
            kind, base: base, local: local?.body, remote: remote?.body, deletion: deletion,
            writer: laptop.map { Writer(user: $0.user, device: $0.device) },
            overwritten: try overwritten(conflict))
        guard let merged else { return nil }
        if let remote, ValueOrder.isSame(remote.body, and: merged) { return remote }
        if let local, ValueOrder.isSame(local.body, and: merged) { return local }
        return MutableDocument(id: conflict.documentID, body: merged)
    }

    /// The common version of both sides. A gateway that was restored goes on from an older version than the sent one, and
    /// after many edits its history does not show that any more. Then changes that the version here has noted are missing,
    /// and the gateway's version is no later change of it.
    private static func commonVersion(of conflict: Conflict) -> JSONObject? {
        guard let base = conflict.baseDocument?.body else { return nil }
        guard conflict.isBaseDoubtful, let remote = conflict.remoteDocument?.body else { return base }
        return FieldChanges(of: remote).includes(FieldChanges(of: base)) ? base : nil
    }

    /// Merges two versions of which one is the other without its review: a laptop brought it back while the gateway had
    /// lost the review. The review need not be confirmed again: it counts if the gateway has it, or gets it from the
    /// supervisor who gave it.
    ///
    /// - Returns: `nil` for two versions that differ otherwise.
    private func withLostReview(_ conflict: Conflict) -> Document? {
        guard let laptop, let local = conflict.localDocument, let remote = conflict.remoteDocument else { return nil }
        if Supervision.isTakenBack(local.body, from: remote.body, kind: kind) { return remote }
        guard Supervision.isTakenBack(remote.body, from: local.body, kind: kind) else { return nil }
        guard Supervision.reviewer(of: local.body).isExactly(laptop.user) else { return remote }
        var body = local.body
        body.beChanged(by: Writer(user: laptop.user, device: laptop.device))
        return MutableDocument(id: conflict.documentID, body: body)
    }

    /// Whether a version that the gateway has lost was only received here. The person who made it, or changed it last,
    /// merges it with the version that the gateway has instead. If every laptop did so, each would ask again about values
    /// that are decided by then.
    private func isOnlyRead(_ conflict: Conflict) throws -> Bool {
        guard let laptop, let local = conflict.localDocument else { return false }
        let isOwn = ["createdBy", "changedBy"].contains { local.body[$0]?.stringValue?.isExactly(laptop.user) == true }
        // Edits that no gateway has had are kept with the version that they began with.
        return try !isOwn && laptop.store.collection(of: kind).baseBody(of: conflict.documentID) == nil
    }

    /// The values that were typed over on this laptop, if both versions have values that its user gave on it.
    private func overwritten(_ conflict: Conflict) throws -> OverwrittenValues {
        guard let laptop, let local = conflict.localDocument, let remote = conflict.remoteDocument,
            [local, remote].allSatisfy({ FieldChanges(of: $0.body).names(laptop.user, device: laptop.device) })
        else { return OverwrittenValues() }
        return try laptop.store.journal.overwrittenValues(of: kind, conflict.documentID)
    }

    private func deletion(of id: String) throws -> VersionStamp? {
        try laptop.flatMap { try $0.store.journal.ownDeletion(of: kind, id, device: $0.device) }
    }

    /// The user who sends a merge, and the device.
    struct Writer {
        let user: String
        let device: String?
    }

    /// The merge in the form that the gateway accepts, which keeps the creator of a record, and the time when it was
    /// handed in. If the gateway has the record as deleted, the person who brings it back becomes its creator: the
    /// gateway does not know the first creator any more. It accepts only the writer's name, and no review of a
    /// supervisor.
    ///
    /// - Parameters:
    ///   - deletion: the person who has deleted the record here, if known.
    ///   - writer: `nil` if it is not known; then the person who changed the record last is taken for it. The version here
    ///     may itself be a merge that was not sent, and may have been changed last by another person.
    ///   - overwritten: on the writer's laptop.
    static func merged(
        _ kind: RecordKind?, base: JSONObject?, local: JSONObject?, remote: JSONObject?,
        deletion: VersionStamp?, writer: Writer?, overwritten: OverwrittenValues = OverwrittenValues()
    ) -> JSONObject? {
        SentMerge(
            kind: kind, base: base, local: local, remote: remote, deletion: deletion, writer: writer,
            overwritten: overwritten
        ).merged()
    }

    /// The content with which a version of a deleted record is saved, as in a sync in which an edit meets a deletion.
    static func overDeletion(_ kind: RecordKind, body: JSONObject, writer: Writer?) -> JSONObject {
        merged(kind, base: nil, local: body, remote: nil, deletion: nil, writer: writer) ?? body
    }
}

extension ChangeJournal {
    /// The user who deleted a record on this laptop, and the time; `nil` where the journal does not know of it any
    /// more.
    func ownDeletion(of kind: RecordKind, _ id: String, device: String?) throws -> VersionStamp? {
        try deletion(of: RecordReference(kind, id: id)).map { author in
            VersionStamp(by: author.name, at: author.moment, device: device)
        }
    }
}
