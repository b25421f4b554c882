import DocumentStore
import Foundation
import NIOHTTP1
import SyncModels
import SyncProtocol
import Synchronization
import Testing

@testable import Replication

/// Starting, stopping, starting over; and collections that come and go.
@Suite struct LifeTests {
    private func run(_ configuration: ReplicatorConfiguration, reset: Bool = false) async throws {
        try await Replicator(config: configuration).run(reset: reset)
    }

    /// A document that was purged here comes back only with a comparison from the beginning.
    @Test(.timeLimit(.minutes(1))) func aResetComparesEverythingAgain() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        let configuration = try laptop.configuration(gateway)
        try await run(configuration)
        try laptop.collection.purge(id: "a")
        try await run(configuration)
        #expect(try laptop.json("a") == nil)
        try await run(configuration, reset: true)
        #expect(try laptop.json("a") != nil)
        try await gateway.stop()
    }

    /// The changes of a gateway to documents that it had before a reset.
    enum Loss: CaseIterable, Sendable {
        /// An administrator purged a document.
        case purge
        /// Its database was made again.
        case everything
        /// It was restored from a backup that does not have the document yet.
        case backup
    }

    @Test(.timeLimit(.minutes(1)), arguments: Loss.allCases)
    func aResetSendsAgainOnlyWhatTheGatewayMayHaveLost(loss: Loss) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let configuration = try laptop.configuration(gateway)
        try laptop.put("early", #"{"c":"north"}"#)
        try await run(configuration)
        let backup = gateway.state.withLock { $0.model }
        try laptop.put("late", #"{"c":"north"}"#)
        try await run(configuration)
        gateway.state.withLock { state in
            switch loss {
            case .purge: state.model.collections[0]["late"] = nil
            case .everything: state.model = ModelGateway(collections: 1, channels: ["north"])
            case .backup: state.model = backup
            }
        }
        try await run(configuration, reset: true)
        #expect((gateway.body("late") == nil) == (loss == .purge))
        #expect(gateway.body("early") != nil)
        #expect(try laptop.json("late") != nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func startingTwiceIsStartingOnce() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        for _ in 0..<3 { log.replicator.start() }
        try await log.wait { log.activities.last == .idle }
        #expect(gateway.state.withLock { $0.requests.count } == 1)
        for _ in 0..<3 { log.replicator.stop() }
        try await log.stopped()
        log.replicator.stop()
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        try await log.stop()
        #expect(log.activities.filter { $0 == .stopped }.count == 2)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func changingAConfigurationLaterHasNoEffect() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        try laptop.put("a", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway, .push)
        let log = ReplicatorLog(configuration)
        configuration.replicatorType = .pull
        configuration.headers = ["X-Later": "1"]
        try await log.runToEnd()
        log.close()
        #expect(gateway.body("a") != nil)
        #expect(gateway.state.withLock { $0.requests.allSatisfy { $0.headers["X-Later"].isEmpty } })
        try await gateway.stop()
    }

    // MARK: - Collections

    @Test(.timeLimit(.minutes(1))) func aCollectionThatGoesAwayStopsAfterTheFirstRetry() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        configuration.maxAttempts = .max
        configuration.maxAttemptWaitTime = 0.1
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        // A gateway whose collections change drops its clients.
        gateway.state.withLock { $0.known = [] }
        gateway.dropConnections()
        try await log.stopped()
        log.close()
        #expect(log.activities.contains(.offline))
        #expect(log.error?.code == CBLError.httpNotFound)
        #expect(gateway.state.withLock { $0.requests.count } == 2)
        try await gateway.stop()
    }

    /// Whatever the session does next, it says which collection is missing, and does not go on.
    @Test func aSessionWhoseCollectionWasDeletedSaysSo() throws {
        let laptop = try Laptop()
        let others = try laptop.database.createCollection(name: "others", scope: "field")
        _ = try laptop.database.createCollection(name: "third", scope: "field")
        let configuration = ReplicatorConfiguration(
            collections: [laptop.collection, others].map { CollectionConfiguration(collection: $0) },
            target: URLEndpoint(url: try #require(URL(string: "ws://127.0.0.1:1/db"))))
        let store = try ReplicationStore(database: laptop.database, remote: "ws://127.0.0.1:1/db")
        let session = SessionStore(
            store: store, configuration: try SessionConfiguration(configuration, store: store),
            generation: try store.checkpointGeneration())
        let save = ActiveAction.saveLocalCheckpoint(collection: 0, Array("{}".utf8))
        _ = try session.perform(save)
        try laptop.database.deleteCollection(name: "third", scope: "field")
        #expect(throws: SyncFailure.startsOver) { try session.perform(save) }
        try laptop.database.deleteCollection(name: "others", scope: "field")
        let error = #expect(throws: StoreError.self) { try session.perform(save) }
        #expect(error?.code == .notFound && error?.context["collection"] == "field.others")
    }

    @Test(.timeLimit(.minutes(1))) func severalCollectionsTravelSideBySide() async throws {
        let gateway = try await LoopbackGateway.start(collections: ["field.sites", "field.others", "field.third"])
        let laptop = try Laptop()
        let others = try laptop.database.createCollection(name: "others", scope: "field")
        try laptop.put("a", #"{"c":"north","in":"sites"}"#)
        try others.save(document: MutableDocument(id: "a", json: #"{"c":"north","in":"others"}"#))
        gateway.put("b", #"{"c":"north"}"#, in: 1)
        // The third is not known here.
        gateway.put("c", #"{"c":"north"}"#, in: 2)
        var configuration = try laptop.configuration(gateway)
        configuration.collections.append(CollectionConfiguration(collection: others))
        try await run(configuration)
        #expect(gateway.body("a", in: 0)?.contains("sites") == true)
        #expect(gateway.body("a", in: 1)?.contains("others") == true)
        #expect(try others.document(id: "b") != nil && laptop.collection.document(id: "b") == nil)
        #expect(try laptop.database.collection(name: "third", scope: "field") == nil)
        try await gateway.stop()
    }

    // MARK: - Progress

    @Test(.timeLimit(.minutes(1))) func progressEndsWhereEverythingIsDone() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for number in 0..<20 {
            try laptop.put("l\(number)", #"{"c":"north"}"#)
            gateway.put("r\(number)", #"{"c":"north"}"#)
        }
        let log = ReplicatorLog(try laptop.configuration(gateway))
        try await log.runToEnd()
        log.close()
        #expect(log.replicator.status.progress == Replicator.Progress(completed: 40, total: 40))
        #expect(log.documents.filter(\.isPush).count == 20 && log.documents.count == 40)
        try await gateway.stop()
    }
}

/// What is deprecated is called through a protocol, which does not warn.
private protocol ResetExample {
    func resettingNeedsAStoppedReplicator() async throws
}

@Suite struct ResetTests {
    private let example: any ResetExample = DeprecatedReset()

    @Test(.timeLimit(.minutes(1))) func resettingNeedsAStoppedReplicator() async throws {
        try await example.resettingNeedsAStoppedReplicator()
    }
}

private struct DeprecatedReset: ResetExample {
    @available(*, deprecated)
    func resettingNeedsAStoppedReplicator() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { try laptop.json("a") != nil && log.activities.last == .idle }
        let error = #expect(throws: ReplicationError.self) { try log.replicator.resetCheckpoint() }
        #expect(
            error?.message
                == "Replicator is not stopped. Resetting checkpoint is only allowed when the replicator is in the "
                + "stopped state.")
        log.replicator.stop()
        try await log.stopped()
        try laptop.collection.purge(id: "a")
        try log.replicator.resetCheckpoint()
        log.replicator.start()
        try await log.wait { try laptop.json("a") != nil }
        try await log.stop()
        try await gateway.stop()
    }
}
