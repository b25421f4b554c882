import BLIPProtocol
import DocumentValues
import NIOCore
import Synchronization
import SyncProtocol

/// A gateway database for the sync session of one user.
package final class DatabaseSyncBackend: SyncBackend {
    private let database: GatewayDatabase
    private let requester: Requester
    private let version: SyncSubprotocol
    private let owner: StagingOwner?
    /// The collections behind the client's indexes; the default collection before `getCollections`.
    private let collections = Mutex<[CollectionName]>([.default])
    private let counts = Mutex(ConnectionTally())
    /// Attachments that are being received.
    private let staged = Mutex<[AttachmentHandle: StagedAttachment]>([:])

    /// - Parameter owner: the account for received attachments; without one they are not counted.
    package init(
        database: GatewayDatabase, requester: Requester, version: SyncSubprotocol, owner: StagingOwner? = nil
    ) {
        self.owner = owner
        self.database = database
        self.requester = requester
        self.version = version
    }

    package var hasDefaultCollection: Bool { database.collections.contains(.default) }

    /// The counts so far.
    package var tally: ConnectionTally { counts.withLock { $0 } }

    package var usesDeltas: Bool { database.usesDeltas }
    package var allowsConflicts: Bool { database.allowsConflicts }
    package var attachmentBytes: Int { database.attachmentSize }

    private func name(_ index: Int) -> CollectionName { collections.withLock { $0[index] } }

    // MARK: Collections and checkpoints

    package func resolveCollections(
        _ names: [CollectionName], checkpointIDs: [String]
    ) async throws -> [CollectionAnswer] {
        var answers: [CollectionAnswer] = []
        for (name, checkpointID) in zip(names, checkpointIDs) {
            do {
                try database.check(name)
            } catch let error as GatewayError where error.status == 404 {
                answers.append(.unknown)
                continue
            }
            let stored = try await database.documents.localDocument(
                Self.checkpointName(checkpointID), in: name, as: requester)
            answers.append(
                .known(checkpoint: try stored.map { try JSONObject(parsing: $0.body) }, revision: stored?.revision))
        }
        collections.withLock { $0 = names }
        return answers
    }

    package func checkpoint(
        _ client: String, collection: Int
    ) async throws -> (body: JSONObject, revision: String)? {
        guard
            let stored = try await database.documents.localDocument(
                Self.checkpointName(client), in: name(collection), as: requester)
        else {
            return nil
        }
        return (try JSONObject(parsing: stored.body), stored.revision)
    }

    package func saveCheckpoint(
        _ client: String, collection: Int, revision: String?, body: [UInt8]
    ) async throws -> String {
        let object = try JSONObject(parsing: body).filter { $0.utf8.first != UInt8(ascii: "_") }
        return try await database.documents.putLocalDocument(
            Self.checkpointName(client), body: object.bytes, revision: revision, in: name(collection), as: requester)
    }

    /// The name of a client's checkpoint among the local documents, as in Sync Gateway.
    private static func checkpointName(_ client: String) -> String { "checkpoint/\(client)" }

    // MARK: Pull

    package func openFeed(
        _ options: SubChanges, since: SequenceID, collection: Int
    ) async throws -> any SyncFeed {
        let request = ChangesRequest(
            collection: name(collection), since: since, channels: options.channels.map { Set($0.map { Name($0) }) },
            documentIDs: options.documentIDs, activeOnly: options.isActiveOnly, activeUntilCaughtUp: true,
            revocations: options.wantsRevocations, reportsLossesInPlace: true)
        return DatabaseSyncFeed(
            feed: try database.feeds.changes(request, as: requester), isContinuous: options.isContinuous,
            isFromStart: since == .zero,
            reportsRemovals: options.wantsRevocations || !version.hasRowFlags, activity: database.activity
        ) { [database, collection = request.collection] rows in
            database.feeds.passedOver.note(rows, in: collection, of: database.name, logger: database.environment.logger)
        }
    }

    package func load(
        _ requests: [RevisionRequest], collection: Int, upTo limit: Int = PassiveLimits.loadedBytes
    ) async throws -> [LoadedRevision] {
        let loaded = try await loading(collection) { loader in
            var loaded: [LoadedRevision] = []
            var bytes = 0
            for request in requests {
                guard loaded.isEmpty || bytes < limit else { break }
                let revision = try await loader.load(request)
                bytes += revision.bodyCount
                loaded.append(revision)
            }
            return loaded
        }
        database.noteDamage(in: loaded, of: requests, collection: name(collection))
        database.activity.countSent(loaded, in: name(collection))
        counts.withLock { $0.count(loaded) }
        return loaded
    }

    package func sources(_ sources: [DeltaSource], collection: Int) async throws -> [[UInt8]?] {
        try await loading(collection) { loader in try await loader.sources(sources) }
    }

    private func loading<Value: Sendable>(
        _ collection: Int, body: @escaping @Sendable (RevisionLoader) async throws -> Value
    ) async throws -> Value {
        let counts = database.documents.deltaCounts
        return try await database.documents.reading(name(collection), as: requester) { reader in
            try await body(RevisionLoader(reader: reader, counts: counts))
        }
    }

    package func attachment(_ digest: String, of documentID: String, collection: Int) async throws -> BLIPBody? {
        guard let digest = BlobDigest(digest) else { throw GatewayError.invalidDigest }
        do {
            let reader = try await database.documents.attachment(digest, of: documentID, in: name(collection))
            database.activity.countAttachment(bytes: reader.length)
            // Without a way to read pieces on the event loop, all of it is read before.
            guard let source = AttachmentSource(reader) else {
                return .bytes(ByteBuffer(bytes: try await reader.bytes()))
            }
            return .source(source, length: reader.length)
        } catch let error as GatewayError where error.status == 404 {
            return nil
        }
    }

    // MARK: Push

    package func checkAnnounced(_ rows: [ChangeRow], collection: Int) async throws -> [ChangesReply.Entry] {
        database.activity.add { $0.sync.proposed += rows.count }
        let revisions = rows.map { ($0.documentID, $0.revision) }
        return try await database.documents.missing(revisions, in: name(collection), for: requester).map { ancestors in
            ancestors.map { .wanted(ancestors: $0.map(\.description)) } ?? .unwanted
        }
    }

    package func checkProposed(
        _ rows: [ProposedRow], collection: Int
    ) async throws -> [ProposeChangesReply.Entry] {
        database.activity.add { $0.sync.proposed += rows.count }
        var entries = [ProposeChangesReply.Entry](repeating: .rejected(400), count: rows.count)
        var indices: [Int] = []
        var proposals: [Proposal] = []
        for (index, row) in rows.enumerated() {
            guard let revision = RevisionID(row.revision) else { continue }
            indices.append(index)
            proposals.append(
                Proposal(id: row.documentID, revision: revision, replacing: RevisionID(row.serverRevision)))
        }
        let verdicts = try await database.documents.judge(proposals, in: name(collection), for: requester)
        for (index, verdict) in zip(indices, verdicts) {
            switch verdict {
            case .wanted: entries[index] = .send
            case .known: entries[index] = .known
            case .conflict(let current): entries[index] = .conflict(serverRevision: current.description)
            }
        }
        return entries
    }

    package func store(_ revisions: [IncomingRevision], collection: Int) async throws -> [StoreOutcome] {
        let collection = name(collection)
        var outcomes = [StoreOutcome](repeating: .stored, count: revisions.count)
        var indices: [Int] = []
        var documents: [Result<IncomingDocument, GatewayError>] = []
        var pace = FairPace()
        let isReadOnly = database.isReadOnly(for: requester)
        for (index, revision) in revisions.enumerated() {
            do {
                guard !isReadOnly else { throw GatewayError.readOnly }
                let (document, needs) = try await prepare(revision, collection: collection)
                guard needs.isEmpty else {
                    outcomes[index] = .needs(needs)
                    continue
                }
                indices.append(index)
                documents.append(.success(document))
            } catch {
                let error = GatewayError(error)
                database.documents.noteRefusal(
                    error, of: revision.documentID, revision: "\(revision.revision)", in: collection,
                    by: requester.userName?.text)
                outcomes[index] = .refused(error.blipReply)
            }
            await pace.giveWay()
        }
        let results = await database.documents.store(documents, in: collection, as: requester)
        for (index, result) in zip(indices, results) {
            switch result {
            case .failure(let error): outcomes[index] = .refused(error.blipReply)
            case .success where revisions[index].isFromDelta: database.documents.deltaCounts.add { $0.pushed += 1 }
            case .success: break
            }
        }
        // If the connection is gone, documents that were not stored are no refusals: the client sends them again.
        let isGone = Task.isCancelled
        let ends = zip(revisions, outcomes).filter { !isGone || $1 == .stored }
        database.activity.countPushed(ends)
        counts.withLock { $0.count(ends.map(\.1)) }
        return outcomes
    }

    package func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) async throws {
        let attachment = staged.withLock { staged in
            if let attachment = staged[handle] { return attachment }
            let attachment = database.documents.stageAttachment(of: owner, by: requester.userName)
            staged[handle] = attachment
            return attachment
        }
        try await database.documents.append(bytes, to: attachment)
    }

    package func dropAttachments(_ handles: [AttachmentHandle]) {
        staged.withLock { staged in
            for handle in handles { staged[handle] = nil }
        }
    }

    package func noteRefusal(_ refused: RefusedRevision) {
        let error = GatewayError(refused.error.code, reason: refused.error.message)
        guard error.isRefusal else { return }
        database.activity.add { $0.sync.refused += 1 }
        counts.withLock { $0.refused += 1 }
        database.documents.noteRefusal(
            error, of: refused.documentID, revision: refused.revision, in: name(refused.collection),
            by: requester.userName?.text)
    }

    /// A pushed revision as it is to be stored, and the parts that the client has to send first.
    private func prepare(
        _ revision: IncomingRevision, collection: CollectionName
    ) async throws -> (IncomingDocument, [AttachmentNeed]) {
        let documents = database.documents
        guard let attachments = revision.attachments, !attachments.isEmpty else {
            return (try IncomingDocument(revision, content: [:], now: documents.now), [])
        }
        let check = AttachmentCheck(
            documents: documents, collection: collection, requester: requester, revision: revision)
        let (needs, provided) = try await check.run(attachments, staged: staged.withLock { $0 })
        let document = try IncomingDocument(revision, content: provided, now: documents.now)
        guard !needs.isEmpty else { return (document, []) }
        let expected = needs.expectedBytes(in: attachments, atMost: database.attachmentSize)
        try await documents.checkRoom(for: document, expecting: expected, in: collection, as: requester)
        if let refusal = await documents.refusalAgain(of: document, in: collection, as: requester) { throw refusal }
        return (document, needs)
    }
}
