import Dispatch
import DocumentStore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Replication

/// Who asks for the status and finds the end, or rest, has been given all documents before.
@Suite struct EventOrderTests {
    /// The statuses that a document listener finds when it is called.
    private final class Found: Sendable {
        let activities = Mutex<[Replicator.ActivityLevel]>([])
        let documents = Mutex<[String]>([])

        func listen(to replicator: Replicator) -> ListenerToken {
            replicator.addDocumentReplicationListener { [unowned replicator] replication in
                self.activities.withLock { $0.append(replicator.status.activity) }
                self.documents.withLock { $0 += replication.documents.map(\.id) }
            }
        }
    }

    /// Waits for listeners however long a busy machine lets them wait.
    private static let patient = ReplicatorEnvironment(listenerTime: 3_600)

    @Test(.timeLimit(.minutes(1))) func documentsAreReportedBeforeTheEnd() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let replicator = Replicator(config: try laptop.configuration(gateway), environment: Self.patient)
        let found = Found()
        let token = found.listen(to: replicator)
        for number in 0..<20 {
            try laptop.put("ours\(number)", #"{"c":"north"}"#)
            gateway.put("theirs\(number)", #"{"c":"north"}"#)
            found.documents.withLock { $0 = [] }
            replicator.start()
            while replicator.status.activity != .stopped { await Task.yield() }
            let documents = found.documents.withLock { Set($0) }
            #expect(documents.isSuperset(of: ["ours\(number)", "theirs\(number)"]), "run \(number)")
        }
        #expect(!found.activities.withLock { $0.contains(.stopped) })
        token.remove()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func documentsAreReportedBeforeIdleness() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration, Self.patient)
        let found = Found()
        let token = found.listen(to: log.replicator)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        #expect(found.documents.withLock { $0 } == ["x"])
        #expect(!found.activities.withLock { $0.contains(.idle) })
        token.remove()
        try await log.stop()
        try await gateway.stop()
    }

    /// A slow listener delays the end that others see; one on a queue of the application's own does not.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func slowListenersAreWaitedFor(hasOwnQueue: Bool)
        async throws
    {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north"}"#)
        let replicator = Replicator(config: try laptop.configuration(gateway), environment: Self.patient)
        let (calls, call) = AsyncStream<Void>.makeStream()
        let go = DispatchSemaphore(value: 0)
        let queue = hasOwnQueue ? DispatchQueue(label: "application") : nil
        let token = replicator.addDocumentReplicationListener(withQueue: queue) { _ in
            call.yield()
            go.wait()
        }
        replicator.start()
        for await _ in calls { break }
        if hasOwnQueue {
            while replicator.status.activity != .stopped { await Task.yield() }
        } else {
            #expect(replicator.status.activity == .busy)
            #expect(throws: StoreError.self, "it still runs") { try laptop.database.close() }
        }
        go.signal()
        while replicator.status.activity != .stopped { await Task.yield() }
        token.remove()
        try laptop.database.close()
        try await gateway.stop()
    }

    /// As one does that asks for the main thread, where somebody waits for the end.
    @Test(.timeLimit(.minutes(1))) func aListenerThatWaitsForTheEndSeesIt() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let warnings = Mutex<[String]>([])
        let log = LogSinks.observe { level, _, text in
            if level == .warning { warnings.withLock { $0.append(text) } }
        }
        let replicator = Replicator(config: configuration, environment: ReplicatorEnvironment(listenerTime: 0.05))
        let (calls, call) = AsyncStream<Void>.makeStream()
        let token = replicator.addDocumentReplicationListener { [unowned replicator] _ in
            replicator.stop()
            while replicator.status.activity != .stopped { sched_yield() }
            call.yield()
        }
        replicator.start()
        for await _ in calls { break }
        let expected = "A listener has not returned: the status is published before all documents are reported"
        #expect(warnings.withLock { $0.contains(expected) })
        token.remove()
        log.remove()
        try laptop.database.close()
        try await gateway.stop()
    }
}
