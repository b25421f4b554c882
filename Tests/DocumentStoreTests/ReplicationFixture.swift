import DocumentStore
import DocumentValues
import Foundation

/// A database, its default collection, and what a remote knows of it.
struct ReplicationFixture {
    let folder: TestFolder
    let database: Database
    let collection: Collection
    let store: ReplicationStore

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.defaultCollection()
        store = try ReplicationStore(database: database, remote: "wss://gateway/db")
    }

    func pull(
        _ id: String, _ revision: String, history: String = "", deleted: Bool = false, keepsLost: Bool = false,
        _ body: String = "{}"
    ) throws -> InsertOutcome<StoreError> {
        let revision = PulledRevision(
            documentID: id, revision: RevisionID(revision)!, history: RevisionHistory(parsing: history)!,
            isDeleted: deleted, body: try DocumentBody(reading: Array(body.utf8)))
        return try store.insert([revision], in: .default, keepsLost: keepsLost)[0]
    }

    func push(
        _ id: String, _ revision: String, history: String = "", deleted: Bool = false, _ body: String = "{}"
    ) throws -> InsertOutcome<StoreError> {
        let revision = PulledRevision(
            documentID: id, revision: RevisionID(revision)!, history: RevisionHistory(parsing: history)!,
            isDeleted: deleted, body: try DocumentBody(reading: Array(body.utf8)))
        return try store.accept([revision], in: .default)[0]
    }

    func changes(after sequence: UInt64 = 0) throws -> [LocalChange] {
        try store.changes(in: .default, after: sequence, limit: 100).changes
    }

    func revision(_ id: String = "a") throws -> LocalRevision? { try store.revision(of: id, in: .default) }

    func acknowledge(_ document: Document) throws {
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: document.id, revision: RevisionID(document.revisionID!)!)], in: .default)
    }

    func json(_ id: String = "a") throws -> String? { try collection.document(id: id)?.toJSON() }
}

extension ReplicationStore {
    /// For rows of which nothing is compared but the revision.
    func decide(
        _ rows: [(documentID: String, revision: RevisionID)], in collection: CollectionName
    ) throws -> [RowDecision] {
        let rows = rows.map { AnnouncedRevision(documentID: $0.documentID, revision: $0.revision, isDeleted: true) }
        return try decide(rows, in: collection)
    }
}

extension InsertOutcome<StoreError> {
    var name: String {
        switch self {
        case .inserted: "inserted"
        case .alreadyThere: "alreadyThere"
        case .sameContent: "sameContent"
        case .conflict: "conflict"
        case .missingBlob(let error), .failed(let error): "failed \(error.code.rawValue)"
        }
    }
}
