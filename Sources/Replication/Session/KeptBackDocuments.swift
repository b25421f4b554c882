import DocumentStore
import DocumentValues
import SyncProtocol

/// Documents that a push filter has kept back. Checkpoints pass them, and a later filter may let them through.
struct KeptBackDocuments {
    private let collection: SessionConfiguration.Collection
    private let store: ReplicationStore

    init(_ collection: SessionConfiguration.Collection, store: ReplicationStore) {
        self.collection = collection
        self.store = store
    }

    /// Stored as a checkpoint, and so forgotten with the checkpoints: then all documents are examined again anyway.
    private var id: String { collection.checkpointID + ".kept-back" }

    /// The first sequence that a filter has kept back; `nil` where no filter ever did.
    private func first() throws -> UInt64? {
        try store.loadCheckpoint(id).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Stores the first sequence, before a checkpoint counts the changes as done.
    ///
    /// - Parameter allowed: those of the changes that the filter lets through.
    func note(_ changes: [LocalChange], allowed: [LocalChange]) throws {
        guard allowed.count < changes.count else { return }
        let sent = Set(allowed.map(\.sequence))
        guard let kept = changes.first(where: { !sent.contains($0.sequence) })?.sequence else { return }
        if let first = try first(), first <= kept { return }
        try store.saveCheckpoint(id, body: Array("\(kept)".utf8))
    }

    /// The changes that the checkpoint counts as done and that the present filter lets through. Changes that the gateway has
    /// refused are in the outbox, which decides when they are pushed again.
    func released() throws -> [LocalChange] {
        guard let first = try first() else { return [] }
        let done = try done()
        let refused = try refused()
        var released: [LocalChange] = []
        var position = max(first, 1) - 1
        while true {
            let batch = try store.changes(
                in: collection.name, after: position, limit: ActiveLimits.changesPerRead,
                documentIDs: collection.documentIDs)
            let kept = batch.changes.filter { done.contains($0.sequence) && !refused.contains(Name($0.documentID)) }
            // A document that is damaged stays kept back.
            released += try PushSelection(collection, store: store).filter(kept) { _, _ in }
            if batch.isCaughtUp { return released }
            position = batch.through
        }
    }

    /// Whether a filter may have kept back this revision, which the checkpoint counts as done.
    func mayContain(_ revision: LocalRevision) throws -> Bool {
        guard let first = try first(), first <= revision.sequence else { return false }
        return try !refused().contains(Name(revision.documentID))
    }

    private func done() throws -> SequenceRanges {
        try store.loadCheckpoint(collection.checkpointID).flatMap { Checkpoint(parsing: $0)?.done } ?? SequenceRanges()
    }

    private func refused() throws -> Set<Name> {
        Set(try store.rejections(in: collection.name).map { Name($0.documentID) })
    }
}
