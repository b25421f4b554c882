import Dispatch
import DocumentStore
import DocumentValues
import SyncProtocol

/// Resolves conflicts beside the session: a resolver is the application's code and may be slow.
final class ConflictWorker: Sendable {
    struct Outcome: Sendable {
        var resolved: ResolvedConflict
        /// For those who want to know who won; `nil` when nobody did.
        var event: ResolvedDocumentConflict?
    }

    private let store: ReplicationStore
    private let queue = DispatchQueue(label: "fieldbook.replication.conflicts")

    init(store: ReplicationStore) { self.store = store }

    /// - Parameters:
    ///   - ids: which documents; `nil` for all that are in conflict.
    ///   - completion: gets one outcome for each that was; called on the worker's queue.
    func resolve(
        _ ids: [String]?, in collection: SessionConfiguration.Collection,
        completion: @escaping @Sendable (Swift.Result<[Outcome], any Error>) -> Void
    ) {
        queue.async { [self] in
            completion(
                Swift.Result {
                    let ids = try ids ?? store.conflicts(in: collection.name).map(\.documentID)
                    return ids.compactMap { outcome(of: $0, collection) }
                })
        }
    }

    private func outcome(of id: String, _ collection: SessionConfiguration.Collection) -> Outcome? {
        var remoteIsDeleted = false
        do {
            for _ in 0..<ReplicationLimits.resolutionAttempts {
                guard let conflict = try store.conflict(of: id, in: collection.name) else { return nil }
                remoteIsDeleted = conflict.remote.isDeleted
                let resolution = try resolution(of: conflict, collection)
                if try store.resolve(conflict, in: collection.name, with: resolution) {
                    return Self.outcome(conflict, resolution: resolution, name: collection.name)
                }
            }
            throw StoreError(
                .conflict, message: "The document kept changing while its conflict was resolved.",
                context: ["document": id])
        } catch {
            let failure = ResolvedConflict.Outcome.failed(SyncFailure(store: error), remoteIsDeleted: remoteIsDeleted)
            return Outcome(resolved: ResolvedConflict(documentID: id, outcome: failure))
        }
    }

    // MARK: - Asking

    private func resolution(
        of conflict: DocumentConflict, _ collection: SessionConfiguration.Collection
    ) throws -> ConflictResolution {
        guard let resolver = collection.configuration.conflictResolver, !(resolver is DefaultConflictResolver) else {
            return DefaultConflictResolver.resolution(of: conflict)
        }
        let asked = try Conflict(conflict, collection: collection.collection)
        guard let chosen = try resolver.resolve(conflict: asked) else {
            return conflict.remote.isDeleted ? .remote : .deleted
        }
        if chosen === asked.localDocument { return .local }
        if chosen === asked.remoteDocument { return .remote }
        try Self.check(chosen, expected: collection.collection)
        if !chosen.id.isExactly(conflict.documentID) {
            LibraryLog.replicator.warning(
                "A resolver returned the document '\(chosen.id.withControlsEscaped)' for a conflict of "
                    + "'\(conflict.documentID.withControlsEscaped)': its content is stored under the id of the conflict"
            )
        }
        return .merged(try chosen.bodyStoringBlobs(in: collection.collection.database))
    }

    /// A document of the resolver's making may be new, but not one of another database.
    private static func check(_ chosen: Document, expected: Collection) throws {
        guard let collection = chosen.collection else { return }
        guard collection.database === expected.database else {
            throw StoreError(
                .invalidParameter,
                message: "Resolved document's database \(collection.database.name) is different from expected database "
                    + "\(expected.database.name)")
        }
        guard collection == expected else {
            throw StoreError(
                .invalidParameter,
                message: "Resolved document's collection \(collection.fullName) is different from expected collection "
                    + "\(expected.fullName)")
        }
    }

    // MARK: - Reporting

    private static func outcome(
        _ conflict: DocumentConflict, resolution: ConflictResolution, name: CollectionName
    ) -> Outcome {
        let (winner, outcome): (ResolvedDocumentConflict.Winner, ResolvedConflict.Outcome) =
            switch resolution {
            case .remote: (.remote, conflict.remote.isDeleted ? .deleted : .remote)
            case .local: (.local, conflict.local.isDeleted ? .deleted : .local)
            case .deleted: (conflict.local.isDeleted ? .local : .merged, .deleted)
            case .merged: (.merged, .local)
            }
        return Outcome(
            resolved: ResolvedConflict(documentID: conflict.documentID, outcome: outcome),
            event: ResolvedDocumentConflict(
                scope: name.scope, collection: name.name, id: conflict.documentID, winner: winner))
    }
}

extension Conflict {
    fileprivate init(_ conflict: DocumentConflict, collection: Collection) throws {
        func document(_ revision: LocalRevision) throws -> Document? {
            revision.isDeleted ? nil : try Document(revision, collection: collection)
        }
        documentID = conflict.documentID
        localDocument = try document(conflict.local)
        remoteDocument = try document(conflict.remote)
        baseDocument = try conflict.base.map { body in
            MutableDocument(id: conflict.documentID, body: try JSONObject(parsing: body))
        }
    }
}
