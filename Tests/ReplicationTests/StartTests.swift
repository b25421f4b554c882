import Dispatch
import DocumentStore
import Foundation
import Synchronization
import Testing

@testable import Replication

/// The state as soon as `start()` has returned; and starts and stops before the last one is finished.
@Suite struct StartTests {
    private func continuous(_ laptop: Laptop, _ gateway: LoopbackGateway) throws -> ReplicatorLog {
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        return ReplicatorLog(configuration)
    }

    /// A second start while it stops must not take away the reset that the first one has asked for.
    @Test func aResetThatWasAskedForStaysSo() {
        var state = RunState()
        #expect(state.start(resets: false) != nil)
        _ = state.stop()
        for resets in [true, false] { #expect(state.start(resets: resets) == nil) }
        #expect(state.end(.initial) {}?.resets == true)
    }

    /// Nor must a stop before its run has got to it.
    @Test func aResetWhoseRunWasStoppedIsForTheNextOne() {
        var state = RunState()
        #expect(state.start(resets: true)?.resets == true)
        _ = state.stop()
        #expect(state.start(resets: false) == nil)
        _ = state.stop()
        #expect(state.end(.initial) {} == nil)
        #expect(state.start(resets: false)?.resets == true)
        state.resetIsStored()
        _ = state.stop()
        #expect(state.end(.initial) {} == nil)
        #expect(state.start(resets: false)?.resets == false)
    }

    @Test(.timeLimit(.minutes(1))) func aStartedReplicatorHoldsItsDatabaseAtOnce() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = try continuous(laptop, gateway)
        log.replicator.start()
        #expect(log.replicator.status.activity != .stopped)
        let error = #expect(throws: StoreError.self) { try laptop.database.close() }
        #expect(
            error?.message
                == "Cannot close the database. Please stop all of the replicators before closing the database.")
        try await log.stop()
        try laptop.database.close()
        try await gateway.stop()
    }

    /// The loop that published examples use to wait for the end.
    @Test(.timeLimit(.minutes(1))) func theStatusMayBeAskedUntilItIsStopped() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let replicator = Replicator(config: try laptop.configuration(gateway))
        for number in 0..<3 {
            try laptop.put("a\(number)", #"{"c":"north"}"#)
            replicator.start()
            while replicator.status.activity != .stopped { await Task.yield() }
            #expect(replicator.status.error == nil)
            #expect(gateway.body("a\(number)") != nil)
        }
        try laptop.database.close()
        try await gateway.stop()
    }

    /// A listener that was added after an end hears of the next one, also where the others are notified later.
    @Test func anEndIsForThoseWhoListenedBefore() {
        let queue = DispatchQueue(label: "test")
        let listeners = Listeners<String>()
        let heard = Mutex<[String]>([])
        let early = listeners.add(queue) { event in heard.withLock { $0.append("early: \(event)") } }
        let newest = listeners.newest
        let late = listeners.add(queue, hearing: .later) { event in heard.withLock { $0.append("late: \(event)") } }
        listeners.notify("first end", upTo: newest)
        listeners.notify("second end")
        queue.sync {}
        #expect(heard.withLock { $0 } == ["early: first end", "early: second end", "late: second end"])
        for token in [early, late] { token.remove() }
    }

    @Test(.timeLimit(.minutes(1))) func aRunThatFollowsAnEndDoesNotReturnWithIt() async throws {
        let laptop = try Laptop()
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)],
            target: URLEndpoint(url: try #require(URL(string: "ws://127.0.0.1:1/db"))))
        configuration.maxAttempts = 1
        let replicator = Replicator(config: configuration)
        for _ in 0..<500 {
            replicator.start()
            while replicator.status.activity != .stopped { await Task.yield() }
            await #expect(throws: ReplicationError.self) { try await replicator.run() }
            #expect(replicator.status.activity == .stopped)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aStartWhileStoppingFollows() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = try continuous(laptop, gateway)
        // Otherwise a run may have stopped before this thread comes to starting the next.
        log.replicator.engine.queue.suspend()
        log.replicator.start()
        log.replicator.stop()
        log.replicator.start()
        log.replicator.engine.queue.resume()
        #expect(throws: StoreError.self) { try laptop.database.close() }
        try await log.wait { log.activities.last == .idle }
        #expect(!log.activities.contains(.stopped))
        // Once more, while it is connected.
        log.replicator.engine.queue.suspend()
        log.replicator.stop()
        log.replicator.start(reset: true)
        log.replicator.engine.queue.resume()
        #expect(log.replicator.status.activity != .stopped)
        gateway.put("a", #"{"c":"north"}"#)
        try await log.wait { try laptop.json("a") != nil }
        #expect(!log.activities.contains(.stopped))
        try await log.stop()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func theLastWordCounts() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = try continuous(laptop, gateway)
        for _ in 0..<50 {
            log.replicator.start()
            log.replicator.stop()
        }
        try await log.wait { log.replicator.status.activity == .stopped && log.activities.last == .stopped }
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        try await log.stop()
        #expect(log.error == nil)
        try laptop.database.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aListenerMayStartAgain() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = ReplicatorLog(try laptop.configuration(gateway))
        let runs = Atomic(0)
        let token = log.replicator.addChangeListener { change in
            guard change.status.activity == .stopped else { return }
            if runs.wrappingAdd(1, ordering: .relaxed).newValue < 4 { change.replicator.start() }
        }
        log.replicator.start()
        try await log.wait { log.activities.filter { $0 == .stopped }.count == 4 }
        token.remove()
        log.close()
        #expect(log.replicator.status.activity == .stopped)
        #expect(gateway.state.withLock { $0.requests.count } == 4)
        try await gateway.stop()
    }

    /// Nothing of starting waits for the store, which belongs to the batch.
    @Test(.timeLimit(.minutes(1))) func aBatchMayStartIt() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = try continuous(laptop, gateway)
        try laptop.database.inBatch {
            try laptop.put("a", #"{"c":"north"}"#)
            log.replicator.start(reset: true)
        }
        try await log.wait { gateway.body("a") != nil }
        try await log.stop()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func whatIsRefusedIsRefusedAtOnce() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = try continuous(laptop, gateway)
        try laptop.database.close()
        for count in 1...2 {
            log.replicator.start()
            #expect(log.replicator.status.activity == .stopped)
            #expect((log.replicator.status.error as? ReplicationError)?.code == CBLError.notOpen)
            try await log.wait { log.activities.count == count }
        }
        log.close()
        #expect(log.activities == [.stopped, .stopped])
        #expect(log.error?.code == CBLError.notOpen)
        try await gateway.stop()
    }
}
