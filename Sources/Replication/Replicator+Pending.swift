import DocumentStore
import DocumentValues
import SyncProtocol
import Synchronization

extension Replicator {
    /// Ids of documents whose present revision has yet to be pushed: neither known to the gateway, nor refused by it,
    /// nor kept back by the push filter or the list of documents. A document that an earlier push filter has kept back is
    /// pending if the present one lets it through: the next start sends it.
    ///
    /// A `Set<String>` has only one of two ids that Swift's `String` takes for the same, such as `"é"` in one code
    /// point and in two. In the store they are two documents: check each with ``isDocumentPending(_:collection:)``.
    ///
    /// - Throws: ``ReplicationError`` with the code `CBLError.invalidParameter` if the replicator only pulls, its
    ///   configuration is invalid, or the collection is none of its own; `StoreError` `.notOpen` if the database is closed.
    public func pendingDocumentIds(collection: Collection) throws -> Set<String> {
        Set(try pendingNames(collection: collection).map(\.text))
    }

    /// The same, with look-alike ids kept apart.
    package func pendingNames(collection: Collection) throws -> Set<Name> {
        let (part, store) = try pushedPart(collection)
        let done =
            try store.loadCheckpoint(part.checkpointID).flatMap { Checkpoint(parsing: $0)?.done }
            ?? SequenceRanges()
        var pending = Set(try KeptBackDocuments(part, store: store).released().map { Name($0.documentID) })
        var position = done.through
        while true {
            let batch = try store.changes(
                in: part.name, after: position, limit: ActiveLimits.changesPerRead, documentIDs: part.documentIDs)
            let candidates = batch.changes.filter { !done.contains($0.sequence) }
            // A document that is damaged was not pushed either.
            pending.formUnion(batch.unreadable.filter { !done.contains($0.sequence) }.map { Name($0.documentID) })
            let selected = try PushSelection(part, store: store).filter(candidates) { change, _ in
                pending.insert(Name(change.documentID))
            }
            pending.formUnion(selected.map { Name($0.documentID) })
            if batch.isCaughtUp { return pending }
            position = batch.through
        }
    }

    /// Whether a document's present revision has yet to be pushed; false if there is no such document.
    ///
    /// - Throws: the errors of ``pendingDocumentIds(collection:)``.
    public func isDocumentPending(_ documentID: String, collection: Collection) throws -> Bool {
        let (part, store) = try pushedPart(collection)
        if let chosen = part.documentIDs, !chosen.contains(Name(documentID)) { return false }
        guard let revision = try store.revision(of: documentID, in: part.name),
            !revision.isKnownToRemote
        else { return false }
        let done = try store.loadCheckpoint(part.checkpointID).flatMap { Checkpoint(parsing: $0)?.done }
        if done?.contains(revision.sequence) == true,
            try !KeptBackDocuments(part, store: store).mayContain(revision)
        {
            return false
        }
        return try PushSelection(part, store: store).allows(revision)
    }

    /// Forgets how far earlier replications have come: the next start compares everything again.
    ///
    /// - Throws: ``ReplicationError`` with the code `CBLError.invalidParameter` when the replicator is not stopped.
    // Disfavoured: `FieldbookClassic`, for code of the second generation, has one that does not throw.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use start(reset:).")
    public func resetCheckpoint() throws { try requestReset() }

    package func requestReset() throws {
        guard runState.withLock({ $0.requestReset() }) else {
            throw ReplicationError.invalid(
                "Replicator is not stopped. Resetting checkpoint is only allowed when the replicator is in the "
                    + "stopped state.")
        }
    }

    private func pushedPart(
        _ collection: Collection
    ) throws -> (SessionConfiguration.Collection, ReplicationStore) {
        guard config.replicatorType.pushes else {
            throw ReplicationError.invalid("Pending Document IDs are not supported on pull-only replicators.")
        }
        try config.validate()
        guard let database = config.database else {
            throw ReplicationError.invalid("The replicator has no collections.")
        }
        let store = try ReplicationStore(database: database, remote: KnownEndpoint(config.target).identity())
        let parts = try SessionConfiguration(config, store: store).collections
        guard let part = parts.first(where: { $0.collection == collection }) else {
            throw ReplicationError.invalid("Collection \(collection.fullName) is not part of the replication.")
        }
        return (part, store)
    }
}
