import DocumentStore
import DocumentValues

/// Which of a collection's local changes the push filter lets through.
struct PushSelection {
    private let collection: SessionConfiguration.Collection
    private let store: ReplicationStore

    init(_ collection: SessionConfiguration.Collection, store: ReplicationStore) {
        self.collection = collection
        self.store = store
    }

    /// - Parameter unreadable: called for a document that is damaged, which no filter can look at.
    func filter(
        _ changes: [LocalChange], unreadable: (LocalChange, StoreError) throws -> Void
    ) throws -> [LocalChange] {
        guard collection.configuration.pushFilter != nil, !changes.isEmpty else { return changes }
        let revisions = try store.revisions(of: changes.map(\.documentID), in: collection.name) {
            try unreadable(changes[$0], $1)
        }
        var allowed: [LocalChange] = []
        for case (let change, let revision?) in zip(changes, revisions) {
            do {
                if try allows(revision) { allowed.append(change) }
            } catch let error as StoreError where error.code == .corruptData {
                try unreadable(change, error)
            }
        }
        return allowed
    }

    func allows(_ revision: LocalRevision) throws -> Bool {
        guard let filter = collection.configuration.pushFilter else { return true }
        let document = try Document(revision, collection: collection.collection)
        return filter(document, revision.isDeleted ? .deleted : [])
    }
}
