import Dispatch
import DocumentStore
import DocumentValues
import SyncProtocol

/// Resolves conflicts on a queue of its own, because a resolver is the application's code and may be slow.
final class ConflictWorker: Sendable {
    struct Outcome: Sendable {
        var resolved: ResolvedConflict
        /// For conflict listeners, with the winner; `nil` if there is no winner.
        var event: ResolvedDocumentConflict?
    }

    private let store: ReplicationStore
    private let now: @Sendable () -> ContinuousClock.Instant
    private let queue = DispatchQueue(label: "fieldbook.replication.conflicts")

    /// - Parameter now: the clock that measures resolvers.
    init(store: ReplicationStore, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.store = store
        self.now = now
    }

    /// - Parameters:
    ///   - ids: which documents; `nil` for all that are in conflict.
    ///   - completion: gets one outcome for each conflict; called on the worker's queue.
    func resolve(
        _ ids: [String]?, in collection: SessionConfiguration.Collection,
        completion: @escaping @Sendable (Swift.Result<[Outcome], any Error>) -> Void
    ) {
        queue.async { [self] in
            completion(
                Swift.Result {
                    let ids = try ids ?? store.conflictingDocuments(in: collection.name)
                    return outcomes(of: ids, collection)
                })
        }
    }

    /// Results of a resolver are stored in batches. A slow resolver may be asking a person: its result is stored before the
    /// next call, so that the person is not asked again if the process ends.
    private func outcomes(of ids: [String], _ collection: SessionConfiguration.Collection) -> [Outcome] {
        var outcomes: [Outcome] = []
        var batch = ResolutionBatch()
        for id in ids {
            let start = now()
            do {
                if let decided = try decision(about: id, collection) { batch.append(decided) }
            } catch {
                outcomes.append(Self.failure(error, of: id))
            }
            batch.pass(now() - start)
            guard batch.isDue else { continue }
            outcomes += store(batch.take(), in: collection)
        }
        return outcomes + store(batch.take(), in: collection)
    }

    private func decision(
        about id: String, _ collection: SessionConfiguration.Collection
    ) throws -> DecidedConflict? {
        guard let conflict = try store.conflict(of: id, in: collection.name) else { return nil }
        do {
            return DecidedConflict(conflict, resolution: try resolution(of: conflict, collection))
        } catch {
            throw UndecidedConflict(why: error, remoteIsDeleted: conflict.remote.isDeleted)
        }
    }

    // MARK: - Storing

    private func store(_ decided: [DecidedConflict], in collection: SessionConfiguration.Collection) -> [Outcome] {
        guard !decided.isEmpty else { return [] }
        do {
            let areStored = try store.resolve(decided, in: collection.name)
            return zip(decided, areStored).compactMap { decided, isStored in
                isStored ? Self.outcome(decided, name: collection.name) : again(decided.documentID, in: collection)
            }
        } catch {
            // One resolution that cannot be stored must not keep back the others.
            return decided.compactMap { alone($0, in: collection) }
        }
    }

    private func alone(_ decided: DecidedConflict, in collection: SessionConfiguration.Collection) -> Outcome? {
        do {
            return try store.resolve([decided], in: collection.name) == [true]
                ? Self.outcome(decided, name: collection.name) : again(decided.documentID, in: collection)
        } catch {
            let undecided = UndecidedConflict(why: error, remoteIsDeleted: decided.conflict.remote.isDeleted)
            return Self.failure(undecided, of: decided.documentID)
        }
    }

    /// A side has changed while the resolver was deciding.
    private func again(_ id: String, in collection: SessionConfiguration.Collection) -> Outcome? {
        do {
            for _ in 1..<ReplicationLimits.resolutionAttempts {
                guard let decided = try decision(about: id, collection) else { return nil }
                if try store.resolve([decided], in: collection.name) == [true] {
                    return Self.outcome(decided, name: collection.name)
                }
            }
            throw StoreError(
                .conflict, message: "The document kept changing while its conflict was resolved.",
                context: ["document": id])
        } catch {
            return Self.failure(error, of: id)
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

    /// A resolver may return a new document, but not one of another database.
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

    private static func failure(_ error: any Error, of id: String) -> Outcome {
        let undecided = error as? UndecidedConflict
        let outcome = ResolvedConflict.Outcome.failed(
            SyncFailure(store: undecided?.why ?? error), remoteIsDeleted: undecided?.remoteIsDeleted ?? false)
        return Outcome(resolved: ResolvedConflict(documentID: id, outcome: outcome))
    }

    private static func outcome(_ decided: DecidedConflict, name: CollectionName) -> Outcome {
        let conflict = decided.conflict
        let (winner, outcome): (ResolvedDocumentConflict.Winner, ResolvedConflict.Outcome) =
            switch decided.resolution {
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

/// The resolver has not decided, or its decision cannot be stored.
private struct UndecidedConflict: Error {
    let why: any Error
    let remoteIsDeleted: Bool
}

/// Decisions that are stored together.
private struct ResolutionBatch {
    private var decided: [DecidedConflict] = []
    private var bytes = 0
    /// The time that all of them took.
    private var time = Duration.zero

    /// False while there are only a few, and they are so recent that more can be gathered.
    var isDue: Bool {
        decided.count >= ReplicationLimits.resolutionsPerCommit || bytes >= ReplicationLimits.resolutionBytesPerCommit
            || time >= ReplicationLimits.longestResolution
    }

    mutating func append(_ conflict: DecidedConflict) {
        decided.append(conflict)
        bytes += conflict.conflict.local.body.count + conflict.conflict.remote.body.count
    }

    /// The call for a conflict, decided or not, took this time.
    mutating func pass(_ duration: Duration) {
        if !decided.isEmpty { time += duration }
    }

    mutating func take() -> [DecidedConflict] {
        defer { self = ResolutionBatch() }
        return decided
    }
}

extension DecidedConflict {
    fileprivate var documentID: String { conflict.documentID }
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
        isBaseDoubtful = conflict.isBaseDoubtful
    }
}
