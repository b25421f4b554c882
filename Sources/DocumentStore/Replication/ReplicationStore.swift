import DocumentValues

/// The replicator's view of a database: what one remote knows of it, batch by batch.
///
/// Synchronous and thread-safe; meant to be called from the replicator's own queue. Everything a call changes is in one
/// transaction.
package final class ReplicationStore: Sendable {
    package let database: Database
    /// The identity of the remote, usually its URL.
    package let remote: String

    package init(database: Database, remote: String) throws {
        self.database = database
        self.remote = remote
    }

    /// Identifies this database for ever; part of what a checkpoint's id is made from.
    package var privateUUID: [UInt8] { preconditionFailure() }

    package var blobs: any BlobStorage { preconditionFailure() }

    // MARK: Push

    /// Documents after a sequence whose present revision the remote does not know.
    package func changes(
        in collection: CollectionName, after sequence: UInt64, limit: Int, documentIDs: Set<String>? = nil
    ) throws -> LocalChangeBatch { preconditionFailure() }

    package func lastSequence(in collection: CollectionName) throws -> UInt64 { preconditionFailure() }

    /// Whether the collection has neither documents nor tombstones.
    package func isEmpty(_ collection: CollectionName) throws -> Bool { preconditionFailure() }

    package func revision(of documentID: String, in collection: CollectionName) throws -> LocalRevision? {
        preconditionFailure()
    }

    /// One entry for each id, in their order.
    package func revisions(of ids: [String], in collection: CollectionName) throws -> [LocalRevision?] {
        preconditionFailure()
    }

    /// The remote has acknowledged these revisions, or said that it has them; clears them from the outbox.
    package func markKnownToRemote(
        _ revisions: [(documentID: String, revision: RevisionID)], in collection: CollectionName
    ) throws { preconditionFailure() }

    /// Records what the remote has as its current revision, whether or not it is known here.
    package func setRemoteRevision(
        _ revision: RevisionID, of documentID: String, in collection: CollectionName
    ) throws { preconditionFailure() }

    // MARK: Pull

    /// What to answer to announced rows; for rows that are here already, records that the remote has them.
    package func decide(
        _ rows: [(documentID: String, revision: RevisionID)], in collection: CollectionName
    ) throws -> [RowDecision] { preconditionFailure() }

    /// Stores pulled revisions in one transaction; one revision that cannot be stored does not keep out the others.
    package func insert(
        _ batch: [PulledRevision], in collection: CollectionName
    ) throws -> [InsertOutcome] { preconditionFailure() }

    /// Forgets documents, with their history, conflicts and blobs that nothing else refers to; returns those that
    /// were there. With `quarantine`, edits that the remote never got are kept aside first.
    package func purge(
        _ ids: [String], in collection: CollectionName, quarantine: Bool, reason: String = ""
    ) throws -> [String] { preconditionFailure() }

    // MARK: Conflicts

    package func conflicts(in collection: CollectionName) throws -> [DocumentConflict] { preconditionFailure() }

    package func conflict(of documentID: String, in collection: CollectionName) throws -> DocumentConflict? {
        preconditionFailure()
    }

    /// Ends a conflict; false if one side changed since `conflict` was read: read it again and ask the resolver anew.
    package func resolve(
        _ conflict: DocumentConflict, in collection: CollectionName, with resolution: ConflictResolution
    ) throws -> Bool { preconditionFailure() }

    // MARK: Checkpoints

    package func loadCheckpoint(_ id: String) throws -> [UInt8]? { preconditionFailure() }

    /// `nil` forgets the checkpoint.
    package func saveCheckpoint(_ id: String, _ body: [UInt8]?) throws { preconditionFailure() }

    // MARK: Outbox

    /// Keeps a refused push with its reason.
    package func recordRejection(
        of documentID: String, revision: RevisionID, code: Int, reason: String, in collection: CollectionName
    ) throws { preconditionFailure() }

    /// Refused pushes of this remote.
    package func rejections(in collection: CollectionName) throws -> [RejectedPush] { preconditionFailure() }

    // MARK: Changes

    /// Calls `body` after each commit, of this process or another, with the collections that it touched. Commits that
    /// follow closely may be told as one.
    package func observeChanges(_ body: @escaping @Sendable (Set<CollectionName>) -> Void) -> ListenerToken {
        preconditionFailure()
    }
}
