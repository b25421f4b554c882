import DocumentValues
import SyncProtocol

/// A revision that a client pushed and that was there already, or was refused for what is there.
struct MetRevision: Sendable {
    /// Of the pushed revision in its batch.
    let index: Int
    let id: String
    let revision: RevisionID
    let history: RevisionHistory

    init(_ revision: IncomingRevision, at index: Int) {
        self.index = index
        id = revision.documentID
        self.revision = revision.revision
        history = revision.history
    }
}

extension GatewayDatabase {
    /// The tombstones that pushed revisions lie under or beside. Who pushed them knows the document: a revision of its
    /// tree.
    func deletions(
        of met: [MetRevision], in collection: CollectionName
    ) async throws -> [(index: Int, row: ChangeRow)] {
        guard !met.isEmpty else { return [] }
        return try await reading(collection, as: .admin, rows: met.count) { reader in
            try met.compactMap { pushed in
                guard let stored = try StoredDocument.fetch(pushed.id, in: reader.collection, reader.db),
                    stored.isDeleted, stored.revision != pushed.revision,
                    stored.tree.contains(pushed.revision) || stored.tree.commonAncestor(with: pushed.history) != nil
                else { return nil }
                let row = ChangeRow(
                    sequence: SequenceID(stored.sequence).jsonText, documentID: pushed.id,
                    revision: stored.revision.description, flags: .deleted)
                return (pushed.index, row)
            }
        }
    }
}

extension StoreOutcome {
    func meeting(_ deletion: ChangeRow) -> StoreOutcome {
        switch self {
        case .stored: .deleted(deletion, nil)
        case .refused(let error): .deleted(deletion, error)
        case .deleted, .needs: self
        }
    }
}
