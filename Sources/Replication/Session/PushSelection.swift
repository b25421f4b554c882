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

    func filter(_ changes: [LocalChange]) throws -> [LocalChange] {
        guard collection.configuration.pushFilter != nil, !changes.isEmpty else { return changes }
        let revisions = try store.revisions(of: changes.map(\.documentID), in: collection.name)
        return try zip(changes, revisions).filter { try $1.map { try allows($0) } ?? false }.map(\.0)
    }

    func allows(_ revision: LocalRevision) throws -> Bool {
        guard let filter = collection.configuration.pushFilter else { return true }
        let document = try Document(revision, collection: collection.collection)
        return filter(document, revision.isDeleted ? .deleted : [])
    }
}
