import Fieldbook
import Foundation
import SeededRandom
import Synchronization

/// A laptop that works on and syncs all the time, with the library that others import.
final class SyncLoad: Sendable {
    private struct State {
        var chance: SeededGenerator
        var made = 0
        /// Documents of its own that the gateway has not acknowledged.
        var unsent: Set<String> = []
    }

    /// With more of them a laptop waits: on a slow machine two laptops that never wait would save more than a gateway that is
    /// killed all the time can take, and the end of the test would wait for all of it.
    private static let mostUnsent = 100

    private let name: String
    private let folder: URL
    private let database: Database
    private let collection: Fieldbook.Collection
    private let replicator: Replicator
    private let record: LoadRecord
    private let state: Mutex<State>

    init(_ name: String, gateway: Gateway, record: LoadRecord, seed: UInt64) throws {
        self.name = name
        self.record = record
        state = Mutex(State(chance: SeededGenerator(seed: seed)))
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("load-\(UUID().uuidString)")
        database = try Database.open(folder: folder.path)
        collection = try database.createCollection(name: "inspections", scope: "field")
        guard let url = URL(string: gateway.url) else { throw Gateway.Failure(text: "bad URL") }
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: collection)], target: URLEndpoint(url: url))
        configuration.authenticator = BasicAuthenticator(username: name, password: "secret")
        configuration.continuous = true
        configuration.maxAttemptWaitTime = 1
        replicator = Replicator(config: configuration)
        _ = replicator.addDocumentReplicationListener { [weak self] replication in
            guard replication.isPush else { return }
            let ids = replication.documents.filter { $0.error == nil }.map(\.id)
            record.acknowledge(pushes: ids)
            self?.state.withLock { $0.unsent.subtract(ids) }
        }
        replicator.start()
    }

    deinit {
        // Failures show in the test itself; what is left in a temporary folder does not.
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Saves a document of its own, or one that others edit as well.
    func write() -> Bool {
        guard let id = nextID() else { return false }
        do {
            let document = try collection.document(id: id)?.toMutable() ?? MutableDocument(id: id)
            document.setString(name, forKey: "by")
            document.setArray(MutableArrayObject(data: ["north"]), forKey: "channels")
            _ = try collection.save(document: document, concurrencyControl: .lastWriteWins)
        } catch {
            record.report("\(name) could not save \(id): \(error)")
        }
        // People and forms are slower than the network.
        usleep(8_000)
        return true
    }

    /// `nil` while many documents wait for the gateway.
    private func nextID() -> String? {
        state.withLock { state in
            guard state.unsent.count < Self.mostUnsent else { return nil }
            guard state.chance.number(below: 10) > 0 else { return "shared-\(state.chance.number(below: 5))" }
            state.made += 1
            let id = "\(name)-\(state.made)"
            state.unsent.insert(id)
            return id
        }
    }

    /// Id and revision of everything that is there.
    func contents() throws -> [String: String] {
        var ids: [String] = []
        try collection.forEachBody { id, _ in ids.append(id) }
        return try Dictionary(uniqueKeysWithValues: ids.map { ($0, try collection.document(id: $0)?.revisionID ?? "") })
    }

    /// Whether everything here was sent.
    var isDone: Bool {
        get throws { try replicator.pendingDocumentIds(collection: collection).isEmpty }
    }

    var status: Replicator.Status { replicator.status }

    /// Waits until the replicator has stopped.
    func stop() -> Bool {
        replicator.stop()
        return eventually { replicator.status.activity == .stopped }
    }
}
