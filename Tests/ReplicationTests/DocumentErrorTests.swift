import DocumentStore
import DocumentValues
import Foundation
import SyncModels
import Synchronization
import Testing

@testable import Replication

/// One document's error is its own affair, and not for ever.
@Suite struct DocumentErrorTests {
    private func codes(_ log: ReplicatorLog) -> [String: Int?] {
        Dictionary(
            uniqueKeysWithValues: log.documents.map {
                ($0.document.id, ($0.document.error as? ReplicationError)?.code)
            })
    }

    /// Whether an unchanged document is tried again.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [(400, false), (401, true), (403, true), (404, true), (413, false), (422, false), (500, true)])
    func aRefusedPushBlocksNobodyAndIsTriedAgain(status: Int, isTriedAgain: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad", "c"] { try laptop.put(id, #"{"c":"north"}"#) }
        gateway.state.withLock { $0.model.refusals = ["bad": status] }
        let configuration = try laptop.configuration(gateway, .push)
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        log.close()
        #expect(error == nil)
        #expect(codes(log) == ["a": nil, "bad": 10_000 + status, "c": nil])
        #expect(gateway.body("a") != nil && gateway.body("bad") == nil && gateway.body("c") != nil)
        #expect(try laptop.database.rejectedPushes().map(\.code) == [status])
        gateway.state.withLock { $0.model.refusals = [:] }
        try await Replicator(config: configuration).run()
        #expect((gateway.body("bad") != nil) == isTriedAgain)
        try laptop.put("bad", #"{"c":"north","better":true}"#)
        try await Replicator(config: configuration).run()
        #expect(gateway.body("bad")?.contains("better") == true, "an edit is always tried")
        #expect(try laptop.database.rejectedPushes().isEmpty)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [408, 429, 502, 504])
    func whatPassesIsTriedAgainByTheNextSession(status: Int) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad"] { try laptop.put(id, #"{"c":"north"}"#) }
        gateway.state.withLock { $0.model.refusals = ["bad": status] }
        let configuration = try laptop.configuration(gateway, .push)
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        #expect(codes(log) == ["a": nil, "bad": 10_000 + status])
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection) == ["bad"])
        gateway.state.withLock { $0.model.refusals = [:] }
        try await Replicator(config: configuration).run()
        #expect(gateway.body("bad") != nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func overloadInTheMiddleOfAPushIsWaitedOut() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad"] { try laptop.put(id, #"{"c":"north"}"#) }
        gateway.state.withLock { $0.model.refusals = ["bad": 503] }
        var configuration = try laptop.configuration(gateway, .push)
        configuration.maxAttempts = 3
        configuration.maxAttemptWaitTime = 0.1
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.activities.contains(.offline) }
        gateway.state.withLock { $0.model.refusals = [:] }
        try await log.stopped()
        log.close()
        #expect(log.error == nil)
        #expect(gateway.body("a") != nil && gateway.body("bad") != nil)
        try await gateway.stop()
    }

    /// The gateway lets the laptop in each time, and answers for one document that it is overloaded.
    @Test(.timeLimit(.minutes(1))) func aDocumentThatNeverPassesEndsAOneShotRun() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad", "c"] { try laptop.put(id, #"{"c":"north"}"#) }
        gateway.state.withLock { $0.model.refusals = ["bad": 503] }
        var configuration = try laptop.configuration(gateway, .push)
        configuration.maxAttempts = 4
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.005))
        let error = try await log.runToEnd()
        log.close()
        #expect(error?.code == CBLError.httpBase + 503)
        #expect(gateway.body("a") != nil && gateway.body("bad") == nil && gateway.body("c") != nil)
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection) == ["bad"])
        // The first connections get the other documents across.
        #expect((4...6).contains(gateway.state.withLock { $0.requests.count }))
        try await gateway.stop()
    }

    /// Access returns while the replicator runs; nothing is reset and nothing is edited.
    @Test(.timeLimit(.minutes(1))) func aRefusedPushGoesOutWhenAccessReturns() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("theirs", #"{"c":"south"}"#)
        try laptop.put("ours", #"{"c":"south"}"#)
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.documents.contains { $0.document.id == "ours" && $0.document.error != nil } }
        gateway.setChannels(["north", "south"])
        try await log.wait {
            log.documents.contains { $0.isPush && $0.document.id == "ours" && $0.document.error == nil }
        }
        #expect(gateway.body("ours") != nil)
        #expect(try laptop.json("theirs") != nil)
        #expect(try laptop.database.rejectedPushes().isEmpty)
        try await log.stop()
        try await gateway.stop()
    }
}
