import DocumentStore
import DocumentValues
import Foundation
import SeededRandom
import SyncModels
import SyncProtocol

@testable import Replication

/// A laptop: a real database on a disk that may fail, and the session that is open, if any.
final class SimulatedClient {
    let user: String
    let names: [CollectionName]
    private let folder: URL
    /// Half of the laptops have an encrypted database.
    private let key: EncryptionKey?
    private var generation = 0
    private(set) var disk: FaultyDisk
    private(set) var database: Database
    private(set) var collections: [DocumentStore.Collection] = []
    private(set) var store: ReplicationStore
    private(set) var ledger = Ledger()
    /// Documents that somebody has purged here, and that the gateway does not send again by itself.
    private(set) var purged: Set<DocumentKey> = []
    var peer: ActivePeer<ClientStore>?
    /// The process is gone, and is to be started again.
    var isToCrash = false
    /// In how many of a thousand steps of its session it crashes.
    var crashRate = 0
    var problems: [String] = []
    var counts = StoreSimulationCounts()
    private var random: SimulationRandom

    init(_ user: String, names: [CollectionName], folder: URL, seed: UInt64) throws {
        self.user = user
        self.names = names
        self.folder = folder
        key = seed.isMultiple(of: 2) ? .key(Data(repeating: 7, count: 32)) : nil
        random = SimulationRandom(seed: seed)
        disk = try FaultyDisk(folder.appendingPathComponent("0"))
        (database, collections, store) = try Self.open(disk, names, key)
        ledger.committed(try state(), isDurable: true)
    }

    func close() {
        counts.faults += disk.failures
        disk.heal()
        peer = nil
        do { try database.close() } catch { problems.append("\(user)'s database cannot be closed: \(error)") }
    }

    private static func open(
        _ disk: FaultyDisk, _ names: [CollectionName], _ key: EncryptionKey?
    ) throws -> (Database, [DocumentStore.Collection], ReplicationStore) {
        var configuration = DatabaseConfiguration()
        configuration.encryptionKey = key
        let database = try Database.open(
            folder: disk.folder.appendingPathComponent("client").path, config: configuration)
        let collections = try names.map { try database.createCollection(name: $0.name, scope: $0.scope) }
        return (database, collections, try ReplicationStore(database: database, remote: address))
    }

    private static let address = "ws://gateway.test/db"

    // MARK: - Sessions

    func connect(isContinuous: Bool, now: Instant) throws {
        guard let url = URL(string: Self.address) else { return }
        var configuration = ReplicatorConfiguration(
            collections: CollectionConfiguration.fromCollections(collections), target: URLEndpoint(url: url))
        configuration.continuous = isContinuous
        configuration.authenticator = BasicAuthenticator(username: user, password: "letmein")
        let settings = try SessionConfiguration(configuration, store: store)
        let session = SessionStore(
            store: store, configuration: settings, generation: try store.checkpointGeneration())
        peer = ActivePeer(try settings.active(store), store: ClientStore(session, client: self), now: now)
        peer?.connect()
    }

    /// The line is dead.
    func disconnect() {
        peer?.lose()
        peer?.store.cancelFetches()
        peer = nil
    }

    /// Resolves a conflict that waits; whether there was one.
    func resolve() async throws -> Bool {
        guard let resolution = peer?.takeResolution(), let settings = peer?.store.session.configuration else {
            return false
        }
        let worker = ConflictWorker(store: store)
        let result = await withCheckedContinuation { continuation in
            worker.resolve(resolution.documentIDs, in: settings.collections[resolution.collection]) {
                continuation.resume(returning: $0)
            }
        }
        try noteResolution(result)
        switch result {
        case .success(let outcomes): peer?.complete(resolution.job, with: .resolved(outcomes.map(\.resolved)))
        case .failure(let error): peer?.fail(error)
        }
        peer?.committed(in: [resolution.collection])
        return true
    }

    private func noteResolution(_ result: Swift.Result<[ConflictWorker.Outcome], any Error>) throws {
        let state = try state()
        // Each is a commit of its own; those that failed may lie in the log.
        if state != ledger.current { ledger.committed(state, isDurable: false) }
        switch result {
        case .failure: ledger.failed(state.keys)
        case .success(let outcomes):
            counts.resolved += outcomes.count
            for case .failed in outcomes.map(\.resolved.outcome) { ledger.failed(state.keys) }
        }
    }

    func mayCrash() {
        if Int.random(in: 0..<1_000, using: &random) < crashRate { isToCrash = true }
    }

    // MARK: - Edits

    /// Saves a document, live or as it was before it was deleted. An error is one of the disk.
    func save(_ key: DocumentKey, json: String, photo: [UInt8]?) {
        edit(key) {
            let document = try MutableDocument(id: key.id, json: json)
            if let photo { document.setBlob(Blob(contentType: "image/jpeg", data: Data(photo)), forKey: "photo") }
            try collections[key.collection].save(document: document)
        }
        purged.remove(key)
    }

    func delete(_ key: DocumentKey) {
        edit(key) {
            guard let document = try collections[key.collection].document(id: key.id) else { return }
            try collections[key.collection].delete(document: document)
        }
    }

    func purge(_ key: DocumentKey) {
        guard ledger.current[key] != nil else { return }
        purged.insert(key)
        edit(key) { try collections[key.collection].purge(id: key.id) }
    }

    private func edit(_ key: DocumentKey, _ body: () throws -> Void) {
        let failures = disk.failures
        do {
            try changing([key], isDurable: true, body)
            peer?.committed(in: [key.collection])
        } catch {
            if disk.failures == failures { problems.append("\(key) cannot be changed: \(error)") }
        }
    }

    /// Does something to documents, and notes what came of it.
    func changing<Value>(_ keys: [DocumentKey], isDurable: Bool, _ body: () throws -> Value) throws -> Value {
        do {
            let value = try body()
            ledger.committed(try state(), isDurable: isDurable)
            return value
        } catch {
            ledger.failed(keys)
            let found = try state()
            let others = found.filter { !keys.contains($0.key) }
            // A purge that cannot empty the log has still happened.
            if others != ledger.current.filter({ !keys.contains($0.key) }) {
                problems.append("a failed write changed \(Ledger.difference(found, from: ledger.current))")
            }
            if found != ledger.current { ledger.committed(found, isDurable: false) }
            throw error
        }
    }

    // MARK: - What is there

    func state() throws -> Ledger.State {
        var state = Ledger.State()
        for (index, name) in names.enumerated() {
            for change in try store.changes(in: name, after: 0, limit: .max, includingKnown: true).changes {
                state[DocumentKey(collection: index, id: change.documentID)] = change.revision
            }
        }
        return state
    }

    func revisions() throws -> [DocumentKey: LocalRevision] {
        var revisions: [DocumentKey: LocalRevision] = [:]
        for key in try state().keys {
            revisions[key] = try store.revision(of: key.id, in: names[key.collection])
        }
        return revisions
    }

    /// Documents whose present revision the gateway has refused.
    func rejected() throws -> Set<DocumentKey> {
        var rejected: Set<DocumentKey> = []
        for (index, name) in names.enumerated() {
            for rejection in try store.rejections(in: name)
            where try store.revision(of: rejection.documentID, in: name)?.revision == rejection.revision {
                rejected.insert(DocumentKey(collection: index, id: rejection.documentID))
            }
        }
        return rejected
    }

    // MARK: - Crashes

    /// The process ends at this moment, or the machine loses its power; then it is started again.
    func crash(_ crash: FaultyDisk.Crash, seed: UInt64, gatewaySequence: UInt64) throws {
        isToCrash = false
        peer?.store.cancelFetches()
        peer = nil
        generation += 1
        let copy = try disk.crashed(crash, seed: seed, as: folder.appendingPathComponent("\(generation)"))
        close()
        disk = copy
        (database, collections, store) = try Self.open(disk, names, key)
        let found = try state()
        if let problem = ledger.problem(found, after: crash) { problems.append("\(user) \(problem)") }
        ledger = Ledger(found)
        try check(gatewaySequence: gatewaySequence)
    }

    /// The file is whole, and no checkpoint is ahead of what it speaks of.
    func check(gatewaySequence: UInt64) throws {
        do { try database.performMaintenance(type: .integrityCheck) } catch { problems.append("\(user): \(error)") }
        try connectionCheckpoints().forEach { name, checkpoint in
            let last = try store.lastSequence(in: name)
            if checkpoint.completed.through > last {
                problems.append("\(user)'s checkpoint \(checkpoint.completed.through) is ahead of \(last) in \(name)")
            }
            let remote = checkpoint.remote.flatMap { SequenceID(parsing: $0) }?.sequence ?? 0
            if remote > gatewaySequence {
                problems.append("\(user)'s checkpoint is at \(remote), the gateway at \(gatewaySequence)")
            }
        }
    }

    private func connectionCheckpoints() throws -> [(CollectionName, Checkpoint)] {
        guard let url = URL(string: Self.address) else { return [] }
        var configuration = ReplicatorConfiguration(
            collections: CollectionConfiguration.fromCollections(collections), target: URLEndpoint(url: url))
        configuration.authenticator = BasicAuthenticator(username: user, password: "letmein")
        return try SessionConfiguration(configuration, store: store).collections.compactMap { collection in
            try store.loadCheckpoint(collection.checkpointID).flatMap { Checkpoint(parsing: $0) }
                .map { (collection.name, $0) }
        }
    }
}
