import DocumentValues
import SyncModels

/// Documents that the gateway has accepted from the client, and that nobody has touched since: they must outlive the
/// replications, whatever had happened to others of the same id before.
struct AcceptedDocuments {
    private struct Name: Hashable {
        var collection: Int
        var id: String
    }

    private var untouched: Set<Name> = []

    /// Somebody changed or deleted it, here or there, or decided who sees it.
    mutating func touch(_ id: String, in collection: Int) { untouched.remove(Name(collection: collection, id: id)) }

    mutating func touchAll() { untouched = [] }

    mutating func note(_ gateway: inout ModelGateway, _ client: ModelClient) {
        for acceptance in gateway.acceptances where !acceptance.isDeleted {
            let document = client.collections[acceptance.collection].documents[acceptance.documentID]
            // What was done here since it was sent comes after it.
            guard document?.current.id == acceptance.revision, document?.conflict == nil else { continue }
            untouched.insert(Name(collection: acceptance.collection, id: acceptance.documentID))
        }
        gateway.acceptances = []
    }

    func problems(_ gateway: ModelGateway) -> [String] {
        untouched.compactMap { name in
            let document = gateway.collections[name.collection][name.id]
            return document.map { !$0.current.isDeleted } ?? false
                ? nil : "\(name.id) was accepted, nobody deleted it, and it is gone"
        }.sorted()
    }
}
