import DocumentStore
import DocumentValues
import SyncProtocol

/// Performs the jobs of a session's machine at the store, batch by batch.
struct SessionStore {
    let store: ReplicationStore
    let configuration: SessionConfiguration
    /// The generation of the checkpoints with which the session began.
    let generation: UInt64

    /// The result of a job, or `nil` if it has none. Actions that do not concern the store are ignored.
    func perform(_ action: ActiveAction) throws -> (JobID, ActiveResult)? {
        switch action {
        case .readChanges(let id, let index, let after, let limit, let includingKnown):
            return (id, try readChanges(index, after: after, limit: limit, includingKnown: includingKnown))
        case .readRefused(let id, let index):
            let changes = RepeatedChanges(refused: try rejections(index), keptBack: try keptBack(index))
            return (id, .refused(changes))
        case .loadRevisions(let id, let index, let ids, let withBases):
            return (id, try outgoing(ids, index: index, withBases: withBases))
        case .markKnown(let index, let known):
            try store.markKnownToRemote(known, in: name(index))
        case .noteRefusal(let index, let candidate, let failure):
            try store.recordRejection(
                of: candidate.documentID, revision: candidate.revision, code: failure.code, reason: failure.message,
                in: name(index))
        case .checkAnnounced(let id, let index, let rows):
            let decisions = try store.decide(rows, in: name(index), mayLackBlobs: mayLackBlobs(index))
            return (id, .wanted(decisions))
        case .loadSources(let id, let index, let sources):
            let bodies = try store.bodies(of: sources.map { ($0.documentID, $0.revision) }, in: name(index))
            return (id, .sources(bodies))
        case .examine(let id, let index, let revisions):
            return (id, .examined(try revisions.map { try examine($0, index: index) }))
        case .storeRevisions(let id, let index, let batch):
            return (id, .stored(try insert(batch, index: index)))
        case .purge(let id, let index, let documents): return (id, .purged(try purge(documents, index: index)))
        case .saveLocalCheckpoint(let index, let body):
            try saveCheckpoint(body, index: index)
        case .send, .report, .leaveOut, .status, .wakeUp, .close, .serveAttachment, .proveAttachment, .fetchAttachment,
            .resolveConflicts:
            break
        }
        return nil
    }

    private func name(_ index: Int) -> CollectionName { configuration.collections[index].name }

    private func mayLackBlobs(_ index: Int) -> Bool {
        configuration.collections[index].configuration.attachmentPull == .later
    }

    private func saveCheckpoint(_ body: [UInt8], index: Int) throws {
        let id = configuration.collections[index].checkpointID
        guard try !store.saveCheckpoint(id, body: body, of: generation) else { return }
        try checkCollections()
        throw SyncFailure.startsOver
    }

    /// The checkpoints may have been forgotten because a collection was deleted; then a later session would not find it
    /// either.
    private func checkCollections() throws {
        for collection in configuration.collections { _ = try store.lastSequence(in: collection.name) }
    }

    // MARK: - Push

    private func readChanges(
        _ index: Int, after: UInt64, limit: Int, includingKnown: Bool
    ) throws -> ActiveResult {
        let collection = configuration.collections[index]
        let batch = try store.changes(
            in: collection.name, after: after, limit: limit, documentIDs: collection.documentIDs,
            includingKnown: includingKnown)
        var unreadable = batch.unreadable
        let changes = try PushSelection(collection, store: store).filter(batch.changes) { change, error in
            unreadable.append(
                UnreadableDocument(
                    sequence: change.sequence, documentID: change.documentID, reason: error.description))
        }
        let damaged = Set(unreadable.map(\.sequence))
        let examined = batch.changes.filter { !damaged.contains($0.sequence) }
        try KeptBackDocuments(collection, store: store).note(examined, allowed: changes)
        return .changes(changes, unreadable: unreadable, through: batch.through, isCaughtUp: batch.isCaughtUp)
    }

    private func outgoing(_ ids: [String], index: Int, withBases: Bool) throws -> ActiveResult {
        var failures: [Int: SyncFailure] = [:]
        var outgoing = try store.revisions(of: ids, in: name(index)) { failures[$0] = SyncFailure($1) }
        let wanted = outgoing.indices.filter { withBases || outgoing[$0]?.hasBlobs == true }
        let known = wanted.compactMap { position in
            outgoing[position]?.remoteRevision.map { (position, (documentID: ids[position], revision: $0)) }
        }
        guard !known.isEmpty else { return .revisions(outgoing, failures: failures) }
        let bodies = try store.bodies(of: known.map(\.1), in: name(index))
        for ((position, _), body) in zip(known, bodies) { outgoing[position]?.remoteBody = body }
        return .revisions(outgoing, failures: failures)
    }

    /// Documents that have not changed since they were refused, for a reason that may have passed: missing access,
    /// another branch at the gateway that the user could not see, or a sync function that failed.
    private func rejections(_ index: Int) throws -> [LocalChange] {
        try store.refusedChanges(in: name(index)) { SyncFailure.mayPassWithTime(status: $0) }
    }

    /// Documents that only an earlier push filter has kept back.
    private func keptBack(_ index: Int) throws -> [LocalChange] {
        try KeptBackDocuments(configuration.collections[index], store: store).released()
    }

    // MARK: - Pull

    private func examine(_ revision: PulledRevision, index: Int) throws -> Examination {
        let collection = configuration.collections[index]
        if let filter = collection.configuration.pullFilter {
            let document = try Document(revision, collection: collection.collection)
            guard filter(document, revision.isDeleted ? .deleted : []) else { return .vetoed }
        }
        guard !mayLackBlobs(index) else { return .accepted(missing: []) }
        let missing = try revision.body.named.filter { try !store.blobs.isWhole($0) }
        return .accepted(missing: missing.map(\.digest.text))
    }

    private func insert(_ batch: [PulledRevision], index: Int) throws -> [InsertOutcome<SyncFailure>] {
        try announce(batch, index: index)
        let outcomes = try store.insert(
            batch, in: name(index), keepsLost: configuration.collections[index].configuration.keepsLostRevisions,
            mayLackBlobs: mayLackBlobs(index))
        return try outcomes.map { try outcome($0) }
    }

    /// Reports the changes to the configuration's observers, before documents are replaced.
    private func announce(_ batch: [PulledRevision], index: Int) throws {
        let collection = configuration.collections[index].configuration
        let deleted = batch.filter(\.isDeleted).map(\.documentID)
        if !deleted.isEmpty { try collection.remoteDeletionHandler?(deleted) }
        guard let handler = collection.remoteChangeHandler else { return }
        let changed = batch.filter { !$0.isDeleted }.map {
            RemoteChange(documentID: $0.documentID, revision: $0.revision, history: $0.history, body: $0.body.bytes)
        }
        if !changed.isEmpty { try handler(changed) }
    }

    private func outcome(_ outcome: InsertOutcome<StoreError>) throws -> InsertOutcome<SyncFailure> {
        if case .failed(let error) = outcome, error.isOfThisComputer { throw error }
        return outcome.mapFailure { SyncFailure($0) }
    }

    private func purge(_ documents: [LostDocument], index: Int) throws -> [PurgeVerdict] {
        let collection = configuration.collections[index]
        guard collection.purgesLostDocuments else { return documents.map { _ in .kept } }
        let vetoes = try documents.map { try veto($0, collection: collection) }
        let doomed = zip(documents, vetoes).filter { !$1 }.map(\.0)
        let announced = Dictionary(doomed.map { (Name($0.documentID), $0.revision) }, uniquingKeysWith: { $1 })
        var failures: [Name: SyncFailure] = [:]
        let purged = Set(
            try store.purge(
                doomed.map(\.documentID), in: collection.name, quarantine: true,
                reason: QuarantinedDocument.accessLost,
                revisionOfOld: { sent in
                    let revision = announced[Name(sent.documentID)] ?? nil
                    return try isLostWork(sent, where: revision, collection: collection) ? revision : nil
                },
                unreadable: { failures[Name($0)] = SyncFailure($1) }
            )
            .map { Name($0) })
        return zip(documents, vetoes).map { document, isVetoed -> PurgeVerdict in
            if isVetoed { return .vetoed }
            if let failure = failures[Name(document.documentID)] { return .failed(failure) }
            return purged.contains(Name(document.documentID)) ? .purged : .notThere
        }
    }

    /// Whether the gateway was restored from a backup, and has an older revision than the one that it was sent.
    private func isLostWork(
        _ sent: LocalRevision, where announced: RevisionID?, collection: SessionConfiguration.Collection
    ) throws -> Bool {
        guard let announced, let had = sent.remoteRevision, announced != had, !announced.mayDescend(from: had),
            let isOwnWork = collection.configuration.isOwnWork
        else { return false }
        return isOwnWork(try Document(sent, collection: collection.collection))
    }

    /// A pull filter may keep a document to which the user has lost access; it gets the document as the gateway sent
    /// it.
    private func veto(_ lost: LostDocument, collection: SessionConfiguration.Collection) throws -> Bool {
        guard let filter = collection.configuration.pullFilter else { return false }
        let shown = try Document(
            announced: lost.documentID, revision: lost.revision, body: lost.body ?? DocumentBody.empty.bytes,
            collection: collection.collection)
        return !filter(shown, .accessRemoved)
    }
}
