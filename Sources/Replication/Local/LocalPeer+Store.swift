import BLIPProtocol
import DocumentStore
import DocumentValues
import SyncProtocol

/// The requests of the passive session to the database.
extension LocalPeer {
    func result(of action: PassiveAction) throws -> PassiveResult? {
        switch action {
        case .resolveCollections(_, let names, let checkpointIDs):
            return .collections(try resolve(names, checkpointIDs: checkpointIDs))
        case .loadCheckpoint(_, _, let client):
            let stored = try checkpoint(client)
            return .checkpoint(stored?.body, revision: stored?.revision)
        case .saveCheckpoint(_, _, let client, let revision, let body):
            return try save(client, revision: revision, body: body)
        case .openFeed(let id, let index, let options, let since):
            feeds[id] = LocalFeed(collection: collections[index], options: options, position: since.sequence)
            return .done
        case .checkProposed(_, let index, let rows):
            return .proposals(try judge(rows, name: collections[index]))
        case .checkAnnounced:
            return .failed(.http(409, message: "Conflicts are not allowed between databases of a process"))
        case .loadSources:
            return .failed(.http(500, message: "Differences are not used between databases of a process"))
        case .storeRevisions(_, let index, let revisions):
            return .stored(try accept(revisions, name: collections[index]))
        case .loadRevisions(_, let index, let requests, _):
            return .revisions(try load(requests.map(\.documentID), name: collections[index]))
        case .nextRows, .send, .closeFeed, .serveAttachment, .keepAttachment, .dropAttachments, .noteRefusal,
            .pauseReading, .resumeReading, .close:
            return nil
        }
    }

    // MARK: - Collections and checkpoints

    private func resolve(_ names: [CollectionName], checkpointIDs: [String]) throws -> [CollectionAnswer] {
        collections = names
        return try zip(names, checkpointIDs).map { name, client in
            guard try store.database.collection(name: name.name, scope: name.scope) != nil else { return .unknown }
            let stored = try checkpoint(client)
            return .known(checkpoint: stored?.body, revision: stored?.revision)
        }
    }

    private func checkpoint(_ client: String) throws -> (body: JSONObject, revision: String)? {
        guard let stored = try store.loadCheckpoint(Self.key(client)), let object = try? JSONObject(parsing: stored),
            let body = object["body"]?.objectValue, let revision = object["rev"]?.stringValue
        else { return nil }
        return (body, revision)
    }

    private func save(_ client: String, revision: String?, body: [UInt8]) throws -> PassiveResult {
        let known = try checkpoint(client)?.revision
        guard known.isExactly(revision) else { return .failed(.http(409, message: "Document update conflict")) }
        let number = (known?.droppingExactPrefix("0-")).flatMap { UInt64($0) } ?? 0
        let next = "0-\(number + 1)"
        let stored: JSONValue = ["rev": .string(next), "body": .object(try JSONObject(parsing: body))]
        try store.saveCheckpoint(Self.key(client), body: stored.bytes)
        return .saved(revision: next)
    }

    /// Beside the checkpoints of the database's own replications.
    private static func key(_ client: String) -> String { "peer:\(client)" }

    // MARK: - Pull

    /// `nil` while there is nothing new.
    func nextRows(_ id: JobID, limit: Int) throws -> PassiveResult? {
        guard var feed = feeds[id] else { return .rows([], isCaughtUp: true) }
        defer { feeds[id] = feed }
        var rows: [ChangeRow] = []
        while true {
            let batch = try store.changes(
                in: feed.collection, after: feed.position, limit: limit,
                documentIDs: feed.options.documentIDs.map { Set($0.map { Name($0) }) }, includingKnown: true)
            feed.position = batch.through
            // The other database cannot be notified of a document of which not even the revision is known.
            for document in batch.unreadable {
                LibraryLog.replicator.warning("A document of the other database is not pulled: \(document.reason)")
            }
            let leavesOutDeleted = feed.options.isActiveOnly && !feed.hasAnnouncedCaughtUp
            rows += batch.changes.filter { !(leavesOutDeleted && $0.isDeleted) }.map { change in
                ChangeRow(
                    sequence: SequenceID(change.sequence).jsonText, documentID: change.documentID,
                    revision: change.revision.description, flags: change.isDeleted ? .deleted : [])
            }
            guard rows.isEmpty, !batch.isCaughtUp else {
                if rows.isEmpty, feed.hasAnnouncedCaughtUp, feed.options.isContinuous { return nil }
                if batch.isCaughtUp { feed.hasAnnouncedCaughtUp = true }
                return .rows(rows, isCaughtUp: batch.isCaughtUp)
            }
        }
    }

    /// A document that is damaged here is refused alone.
    private func load(_ ids: [String], name: CollectionName) throws -> [LoadedRevision] {
        var failures: [Int: StoreError] = [:]
        let revisions = try store.revisions(of: ids, in: name) { failures[$0] = $1 }
        return revisions.enumerated().map { index, revision -> LoadedRevision in
            if let failure = failures[index] { return .unavailable(500, failure.description) }
            do { return try Self.loaded(revision) } catch {
                return .unavailable(500, SyncFailure(store: error).message)
            }
        }
    }

    private static func loaded(_ revision: LocalRevision?) throws -> LoadedRevision {
        guard let revision else { return .unavailable(404, "missing") }
        return try .found(
            revision: revision.revision, history: revision.history, isDeleted: revision.isDeleted,
            storedBody: revision.body)
    }

    // MARK: - Push

    private func judge(_ rows: [ProposedRow], name: CollectionName) throws -> [ProposeChangesReply.Entry] {
        var damaged: Set<Int> = []
        let revisions = try store.revisions(of: rows.map(\.documentID), in: name) { index, _ in
            damaged.insert(index)
        }
        return zip(rows, revisions).enumerated().map { index, pair -> ProposeChangesReply.Entry in
            damaged.contains(index) ? .rejected(500) : Self.judge(pair.0, current: pair.1)
        }
    }

    private static func judge(_ row: ProposedRow, current: LocalRevision?) -> ProposeChangesReply.Entry {
        guard let current else { return .send }
        let revision = current.revision.description
        let isAncestor = RevisionID(row.revision).map { current.history.contains($0) } ?? false
        if revision.isExactly(row.revision) || isAncestor { return .known }
        if revision.isExactly(row.serverRevision) { return .send }
        // A document that was deleted here may be made again by the other database.
        if row.serverRevision.isEmpty, current.isDeleted { return .send }
        return .conflict(serverRevision: revision)
    }

    private func accept(_ revisions: [IncomingRevision], name: CollectionName) throws -> [StoreOutcome] {
        var outcomes: [StoreOutcome] = Array(repeating: .stored, count: revisions.count)
        var batch: [(index: Int, revision: PulledRevision)] = []
        for (index, incoming) in revisions.enumerated() {
            do {
                batch.append((index, try received(incoming)))
            } catch {
                outcomes[index] = .refused(.http(400, message: SyncFailure(store: error).message))
            }
        }
        let verdicts = try store.accept(batch.map(\.revision), in: name)
        for ((index, _), verdict) in zip(batch, verdicts) {
            switch verdict {
            case .inserted, .alreadyThere, .sameContent: break
            case .conflict: outcomes[index] = .refused(.http(409, message: "Document revision conflict"))
            case .missingBlob(let error), .failed(let error):
                outcomes[index] = .refused(.http(500, message: error.message))
            }
        }
        return outcomes
    }

    /// The revision with its blobs, which are copied within the process.
    private func received(_ incoming: IncomingRevision) throws -> PulledRevision {
        let body = try incoming.storedForm()
        for digest in body.digests where try !store.blobs.contains(digest) { try copy(digest) }
        return PulledRevision(
            documentID: incoming.documentID, revision: incoming.revision, history: incoming.history,
            isDeleted: incoming.isDeleted, body: body)
    }

    private func copy(_ digest: BlobDigest) throws {
        // A revision without its blob is refused when it is stored.
        guard let reader = try source.reader(for: digest) else { return }
        defer { reader.close() }
        let writer = try store.blobs.writer()
        defer { writer.cancel() }
        while let bytes = try reader.read(upTo: ReplicationLimits.blobPortion) { try writer.write(bytes) }
        _ = try writer.finish(expecting: digest)
    }
}
