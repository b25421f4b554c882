import BLIPProtocol
import DocumentValues
import Foundation
import GatewayCore
import Logging
import SodiumCrypto
import SyncModels
import SyncProtocol

/// The gateway: a real database on a disk that may fail, and one session for each client that is connected.
final class SimulatedGateway {
    /// A connection's other end.
    struct Session {
        var peer: PassivePeer
        var opened: OpenedFeeds

        mutating func release() { peer.release(in: &opened) }
    }

    /// What a connection has open at the database.
    struct OpenedFeeds: PassiveReleases {
        let backend: DatabaseSyncBackend
        var feeds: [JobID: any SyncFeed] = [:]
        /// Feeds that have caught up, and the commit that they know of.
        var caughtUp: [JobID: Int] = [:]
        var continuous: Set<JobID> = []

        init(_ backend: DatabaseSyncBackend) { self.backend = backend }

        mutating func closeFeed(_ feed: JobID) { feeds[feed] = nil }

        func dropAttachments(_ handles: [AttachmentHandle]) { backend.dropAttachments(handles) }

        func noteRefusal(_ refused: RefusedRevision) { backend.noteRefusal(refused) }
    }

    let names: [CollectionName]
    private let folder: URL
    private let configuration: JSONValue
    private var generation = 0
    private(set) var disk: FaultyDisk
    private var registry: DatabaseRegistry
    private(set) var database: GatewayDatabase
    var sessions: [String: Session] = [:]
    /// What everybody was promised.
    private(set) var ledger = Ledger()
    private(set) var channels: [String: Set<String>] = [:]
    /// Counts what may make news for a feed.
    private(set) var commits = 0
    var problems: [String] = []
    /// Of all its disks.
    private(set) var faults = 0
    /// How many revisions it has taken.
    private(set) var pushed = 0

    struct NoDatabase: Error {}

    init(names: [CollectionName], usesDeltas: Bool, folder: URL) async throws {
        self.names = names
        self.folder = folder
        configuration = Self.configuration(names, usesDeltas: usesDeltas)
        disk = try FaultyDisk(folder.appendingPathComponent("0"))
        registry = try await Self.open(disk)
        database = try await registry.create("db", configuration: configuration.bytes)
    }

    private static func configuration(_ names: [CollectionName], usesDeltas: Bool) -> JSONValue {
        var scopes = JSONObject()
        for name in names {
            var collections = scopes[name.scope]?.objectValue?["collections"]?.objectValue ?? JSONObject()
            collections[name.name] = ["sync": "function (doc) { channel(doc.c); requireAccess(doc.c); }"]
            scopes[name.scope] = ["collections": .object(collections)]
        }
        return ["scopes": .object(scopes), "delta_sync": ["enabled": .bool(usesDeltas)]]
    }

    private static func open(_ disk: FaultyDisk) async throws -> DatabaseRegistry {
        var logger = Logger(label: "simulation")
        logger.logLevel = .critical
        return try await DatabaseRegistry.open(
            path: disk.folder.appendingPathComponent("databases").path,
            environment: DatabaseEnvironment(
                syncFunctions: ChannelFunction(), logger: logger, passwordStrength: .testsOnly,
                now: { 1_900_000_000 }))
    }

    func close() async {
        faults += disk.failures
        disk.heal()
        sessions = [:]
        await registry.close()
    }

    // MARK: - Sessions

    func accept(_ user: String) {
        let backend = DatabaseSyncBackend(database: database, requester: .user(Name(user)), version: .version3)
        let session = PassiveSession(
            version: .version3, hasDefaultCollection: backend.hasDefaultCollection, usesDeltas: backend.usesDeltas,
            allowsConflicts: backend.allowsConflicts, attachmentBytes: backend.attachmentBytes)
        sessions[user] = Session(peer: PassivePeer(session), opened: OpenedFeeds(backend))
    }

    /// Does one of the things that a client's session waits for, if it can be done. The result is handed over unless the
    /// gateway crashes before.
    func work(for user: String, at index: Int, crashes: Bool) async -> (PassiveAction, PassiveResult?)? {
        guard let action = sessions[user]?.peer.work[index], !isWaiting(action, user) else { return nil }
        _ = sessions[user]?.peer.takeWork(at: index)
        let failures = disk.failures
        let result = await perform(action, for: user)
        await note(action, result, isFaulty: disk.failures > failures)
        guard !crashes, let (job, outcome) = result else { return (action, result?.1) }
        sessions[user]?.peer.complete(job, with: outcome)
        sessions[user]?.release()
        return (action, outcome)
    }

    func receive(_ incoming: [BLIPIncoming], from user: String) {
        sessions[user]?.peer.receive(incoming)
        sessions[user]?.release()
    }

    /// A continuous feed that has caught up is asked again when there may be news.
    private func isWaiting(_ action: PassiveAction, _ user: String) -> Bool {
        guard case .nextRows(_, let feed, _) = action, let opened = sessions[user]?.opened else { return false }
        return opened.continuous.contains(feed) && opened.caughtUp[feed] == commits
    }

    private func perform(_ action: PassiveAction, for user: String) async -> (JobID, PassiveResult)? {
        guard let backend = sessions[user]?.opened.backend else { return nil }
        if case .serveAttachment = action {
            let answer = await attachment(action, of: backend)
            sessions[user]?.peer.send(answer)
            return nil
        }
        do {
            if case .openFeed(let id, let collection, let options, let since) = action {
                return (id, try await openFeed(id, in: collection, options: options, since: since, for: user))
            }
            if case .nextRows(let id, let feed, let limit) = action {
                return try await rows(action, id, feed, limit, user)
            }
            let result = try await backend.result(of: action)
            return action.job.map { ($0, result) }
        } catch {
            return action.job.map { ($0, .failed(GatewayError(error).blipReply)) }
        }
    }

    private func attachment(_ action: PassiveAction, of backend: DatabaseSyncBackend) async -> BLIPOutgoing {
        guard case .serveAttachment(let number, let collection, let documentID, let digest, let compresses) = action
        else { preconditionFailure("the caller has looked") }
        do {
            let content = try await backend.attachment(digest, of: documentID, collection: collection)
            return content.map { .response(to: number, properties: [:], body: $0, isCompressed: compresses) }
                ?? .failure(to: number, .http(404, message: "missing"))
        } catch {
            return .failure(to: number, GatewayError(error).blipReply)
        }
    }

    /// It returns at once, with nothing where it would wait.
    private func openFeed(
        _ id: JobID, in collection: Int, options: SubChanges, since: SequenceID, for user: String
    ) async throws -> PassiveResult {
        guard let backend = sessions[user]?.opened.backend else { return .done }
        if options.isContinuous { sessions[user]?.opened.continuous.insert(id) }
        var options = options
        options.isContinuous = false
        sessions[user]?.opened.feeds[id] = try await backend.openFeed(
            options, since: since, collection: collection)
        return .done
    }

    private func rows(
        _ action: PassiveAction, _ id: JobID, _ feed: JobID, _ limit: Int, _ user: String
    ) async throws -> (JobID, PassiveResult)? {
        guard let opened = sessions[user]?.opened, let source = opened.feeds[feed] else { return nil }
        let known = commits
        let batch = try await source.next(limit: limit)
        if batch.rows.isEmpty, opened.continuous.contains(feed), opened.caughtUp[feed] != nil {
            sessions[user]?.opened.caughtUp[feed] = known
            sessions[user]?.peer.putBack(action)
            return nil
        }
        if batch.isCaughtUp { sessions[user]?.opened.caughtUp[feed] = known - 1 }
        return (id, .rows(batch.rows, isCaughtUp: batch.isCaughtUp))
    }

    // MARK: - What was promised

    private func note(_ action: PassiveAction, _ result: (JobID, PassiveResult)?, isFaulty: Bool) async {
        guard case .storeRevisions(_, let index, let revisions) = action else { return }
        commits += 1
        let keys = revisions.map { DocumentKey(collection: index, id: $0.documentID) }
        var state = ledger.current
        var hasFailed = false
        switch result?.1 {
        case .stored(let outcomes)?:
            for ((key, revision), outcome) in zip(zip(keys, revisions), outcomes) {
                switch outcome {
                case .stored:
                    pushed += 1
                    await noteStored(key, revision.revision, &state)
                case .refused(let reply): hasFailed = hasFailed || reply.code >= 500
                case .needs: break
                }
            }
        case .done, .collections, .checkpoint, .saved, .rows, .wanted, .proposals, .sources, .revisions, .failed, nil:
            hasFailed = true
        }
        if hasFailed, !isFaulty { problems.append("a push failed on a disk that works: \(String(describing: result))") }
        if state != ledger.current { ledger.committed(state, isDurable: true) }
        if hasFailed { ledger.failed(keys) }
        await compare("after a push")
    }

    /// It is the current revision, unless it was there before or an older tombstone wins.
    private func noteStored(_ key: DocumentKey, _ revision: RevisionID, _ state: inout Ledger.State) async {
        do {
            let details = try await database.documents.details(of: key.id, in: names[key.collection])
            guard details.tree.contains(revision) else {
                return problems.append("\(revision) of \(key) was acknowledged and is not there")
            }
            let current = details.revision.revision
            if details.tree.isCurrent(current, after: revision) { state[key] = current }
        } catch {
            problems.append("\(key) was acknowledged and cannot be read: \(error)")
        }
    }

    /// What is there is what was promised.
    private func compare(_ moment: String) async {
        let found = await state()
        if found != ledger.current {
            problems.append("\(moment): \(Ledger.difference(found, from: ledger.current))")
        }
    }

    func details(_ key: DocumentKey) async -> DocumentDetails? {
        do { return try await database.documents.details(of: key.id, in: names[key.collection]) } catch {
            if GatewayError(error).status != 404 { problems.append("\(key) cannot be read: \(error)") }
            return nil
        }
    }

    func state() async -> Ledger.State {
        var state = Ledger.State()
        for index in names.indices {
            for id in StoreSimulation.documents {
                let key = DocumentKey(collection: index, id: id)
                if let details = await details(key) { state[key] = details.revision.revision }
            }
        }
        return state
    }

    // MARK: - Administrators

    func edit(_ key: DocumentKey, body: JSONValue) async {
        let current = await details(key)?.revision
        let failures = disk.failures
        let write = DocumentWrite(id: key.id, body: body.bytes, edit: .new(replacing: current?.revision))
        let results = await database.documents.write([write], in: names[key.collection], as: .admin)
        commits += 1
        switch results.first {
        case .success(let outcome)?:
            var state = ledger.current
            await noteStored(key, outcome.revision, &state)
            ledger.committed(state, isDurable: true)
        case .failure(let error)?:
            ledger.failed([key])
            if disk.failures == failures { problems.append("\(key) cannot be edited: \(error)") }
        case nil: problems.append("a write has no outcome")
        }
        await compare("after an edit")
    }

    func setChannels(_ wanted: Set<String>, of user: String) async {
        var json = access(to: wanted)
        if channels[user] == nil { json["password"] = "letmein" }
        let failures = disk.failures
        do {
            _ = try await database.principals.putUser(Name(user), json: json.bytes)
            channels[user] = wanted
        } catch {
            if disk.failures == failures { problems.append("\(user) cannot be changed: \(error)") }
            uncertainUsers.insert(user)
        }
        commits += 1
    }

    /// The same channels of all collections.
    private func access(to channels: Set<String>) -> JSONObject {
        let grant = JSONValue.array(channels.sorted().map { .string($0) })
        guard names != [.default] else { return ["admin_channels": grant] }
        var scopes = JSONObject()
        for name in names {
            var collections = scopes[name.scope]?.objectValue ?? JSONObject()
            collections[name.name] = ["admin_channels": grant]
            scopes[name.scope] = .object(collections)
        }
        return ["collection_access": .object(scopes)]
    }

    private func channels(in user: JSONObject) -> Set<String> {
        let grants = names.map { name in
            let access = name == .default ? user : user["collection_access"]?[name.scope]?[name.name]?.objectValue
            return Set((access?["admin_channels"]?.arrayValue ?? []).compactMap(\.stringValue))
        }
        if Set(grants).count > 1 { problems.append("a user's grants were written in part: \(grants)") }
        return grants.first ?? []
    }

    /// Whose channels may be others after a crash, because a write of them failed.
    private var uncertainUsers: Set<String> = []

    // MARK: - Crashes

    func crash(_ crash: FaultyDisk.Crash, seed: UInt64) async throws {
        generation += 1
        let copy = try disk.crashed(crash, seed: seed, as: folder.appendingPathComponent("\(generation)"))
        await close()
        disk = copy
        registry = try await Self.open(disk)
        guard let opened = registry.database("db") else {
            problems.append("the gateway's database cannot be opened: \(registry.allFaults)")
            throw NoDatabase()
        }
        database = opened
        let found = await state()
        if let problem = ledger.problem(found, after: crash) { problems.append("the gateway \(problem)") }
        ledger = Ledger(found)
        try await checkUsers()
    }

    private func checkUsers() async throws {
        for (user, expected) in channels {
            let found = channels(in: try await database.principals.user(Name(user)))
            if found != expected, !uncertainUsers.contains(user) {
                problems.append("\(user) has the channels \(found.sorted()) instead of \(expected.sorted())")
            }
            channels[user] = found
        }
        uncertainUsers = []
    }

    /// The file is whole.
    func checkFile() throws {
        let path = disk.folder.appendingPathComponent("databases").path
        problems += try StorageCheck.problems(storage: path)
    }
}
