import DocumentStore
import DocumentValues
import Foundation
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// A database in a folder of its own, and a replicator's history.
final class Laptop: Sendable {
    let database: Database
    let collection: DocumentStore.Collection
    private let folder: URL

    init(_ name: String = "sites") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fieldbook-\(UUID().uuidString)")
        database = try Database.open(folder: folder.path)
        collection = try database.createCollection(name: name, scope: "field")
    }

    deinit {
        // A test that fails may leave a replicator running, which keeps the database open.
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func put(_ id: String, _ json: String) throws {
        try collection.save(document: MutableDocument(id: id, json: json))
    }

    func json(_ id: String) throws -> String? { try collection.document(id: id)?.toJSON() }

    /// The files that hold the blobs.
    var blobFiles: [URL] {
        let found = FileManager.default.enumerator(
            at: folder.appendingPathComponent("attachments"), includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
    }

    func configuration(
        _ gateway: LoopbackGateway, _ type: ReplicatorType = .pushAndPull, secure: Bool = false,
        through proxy: HostileProxy? = nil,
        _ change: (inout CollectionConfiguration) -> Void = { _ in }
    ) throws -> ReplicatorConfiguration {
        var part = CollectionConfiguration(collection: collection)
        change(&part)
        let authority = "\(secure ? "wss://localhost" : "ws://127.0.0.1"):\(proxy?.port ?? gateway.port)"
        let url = try #require(URL(string: "\(authority)/db"))
        var configuration = ReplicatorConfiguration(collections: [part], target: URLEndpoint(url: url))
        configuration.replicatorType = type
        configuration.maxAttempts = 1
        return configuration
    }
}

/// Runs a replicator to its end, which must be one without an error.
@discardableResult
func sync(_ configuration: ReplicatorConfiguration) async throws -> ReplicatorLog {
    let log = ReplicatorLog(configuration)
    let error = try await log.runToEnd()
    #expect(error == nil)
    log.close()
    return log
}

/// Everything a replicator reports, and waiting for a part of it.
final class ReplicatorLog: Sendable {
    let replicator: Replicator
    private let statuses = Mutex<[Replicator.Status]>([])
    private let events = Mutex<[(isPush: Bool, document: ReplicatedDocument)]>([])
    private let tokens = Mutex<[ListenerToken]>([])
    private let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    convenience init(_ configuration: ReplicatorConfiguration) {
        self.init(configuration, ReplicatorEnvironment())
    }

    init(_ configuration: ReplicatorConfiguration, _ environment: ReplicatorEnvironment) {
        replicator = Replicator(config: configuration, environment: environment)
        (changes, continuation) = AsyncStream.makeStream()
        let status = replicator.addChangeListener { [self] change in
            statuses.withLock { $0.append(change.status) }
            continuation.yield()
        }
        let documents = replicator.addDocumentReplicationListener { [self] replication in
            events.withLock { $0 += replication.documents.map { (replication.isPush, $0) } }
            continuation.yield()
        }
        tokens.withLock { $0 = [status, documents] }
    }

    /// Breaks the cycle between the replicator's listeners and the log.
    func close() { for token in tokens.withLock({ $0 }) { token.remove() } }

    var activities: [Replicator.ActivityLevel] { statuses.withLock { $0.map(\.activity) } }

    var progresses: [Replicator.Progress] { statuses.withLock { $0.map(\.progress) } }

    var documents: [(isPush: Bool, document: ReplicatedDocument)] { events.withLock { $0 } }

    var error: ReplicationError? { statuses.withLock { $0.last?.error as? ReplicationError } }

    /// Of each wait for the next attempt, and of the end.
    var errors: [ReplicationError] { statuses.withLock { $0.compactMap { $0.error as? ReplicationError } } }

    /// Waits until the condition holds; it is looked at again after every event.
    func wait(for condition: @Sendable () throws -> Bool) async throws {
        if try condition() { return }
        for await _ in changes where try condition() { return }
    }

    /// Starts and waits for the end.
    @discardableResult
    func runToEnd(reset: Bool = false) async throws -> ReplicationError? {
        replicator.start(reset: reset)
        try await stopped()
        return error
    }

    func stopped() async throws { try await wait { self.activities.last == .stopped } }

    func stop() async throws {
        replicator.stop()
        try await stopped()
        close()
    }
}
