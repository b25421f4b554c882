import BLIPProtocol
import BLIPTransport
import DocumentStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

@testable import Replication

/// Whole replications over real sockets.
@Suite struct ReplicatorTests {
    @Test(.timeLimit(.minutes(1))) func pushesAndPullsAndStops() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("theirs", #"{"c":"north","n":1}"#)
        try laptop.put("ours", #"{"c":"north","n":2}"#)
        let log = ReplicatorLog(try laptop.configuration(gateway))
        let error = try await log.runToEnd()
        #expect(error == nil)
        #expect(try laptop.json("theirs") == #"{"c":"north","n":1}"#)
        #expect(gateway.body("ours") == #"{"c":"north","n":2}"#)
        #expect(log.activities.first == .connecting && log.activities.contains(.busy))
        #expect(log.documents.filter(\.isPush).map(\.document.id) == ["ours"])
        #expect(log.documents.filter { !$0.isPush }.map(\.document.id) == ["theirs"])
        #expect(log.replicator.status.progress.completed == 2)
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection).isEmpty)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aContinuousReplicatorHearsOfEverySave() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        try laptop.put("a", #"{"c":"north"}"#)
        try await log.wait { gateway.body("a") != nil && log.documents.count == 1 }
        gateway.put("b", #"{"c":"north"}"#)
        try await log.wait { try laptop.json("b") != nil && log.documents.count == 2 }
        #expect(throws: StoreError.self) { try laptop.database.close() }
        try await log.stop()
        try laptop.database.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aLostConnectionIsMadeAgain() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        configuration.maxAttempts = .max
        configuration.maxAttemptWaitTime = 0.2
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        gateway.dropConnections()
        try await log.wait { log.activities.contains(.offline) }
        gateway.put("a", #"{"c":"north"}"#)
        try await log.wait { try laptop.json("a") != nil }
        try await log.stop()
        #expect(log.error == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func attemptsAreCounted() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        try await gateway.stop()
        configuration.maxAttempts = 3
        configuration.maxAttemptWaitTime = 0.05
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.domain == ReplicationError.posixDomain && error?.code == Int(ECONNREFUSED))
        #expect(log.activities.filter { $0 == .connecting }.count == 3)
        log.close()
    }

    /// Takes what it is sent, and hangs up.
    private final class SilentGateway: BLIPConnectionDelegate {
        func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) { connection.abort() }
        func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {}
    }

    /// Only an answer makes it a connection that worked.
    @Test(.timeLimit(.minutes(1))) func connectionsWithoutAnAnswerAreCountedAsAttempts() async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.stranger = SilentGateway() }
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.maxAttempts = 3
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.005))
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.webSocketAbnormalClose)
        #expect(gateway.state.withLock { $0.requests.count } == 3)
        log.close()
        try await gateway.stop()
    }

    /// Takes what it is sent, and says nothing.
    private final class StuckGateway: BLIPConnectionDelegate {
        func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {}
        func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {}
    }

    @Test(.timeLimit(.minutes(1))) func aGatewayThatAnswersNothingIsReportedAndGivenUp() async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.stranger = StuckGateway() }
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.maxAttempts = 2
        // A system confirms some 40 ms late what nobody answers, and that counts as a sign of life.
        let silence = SilenceLimits(notice: .milliseconds(200), limit: .milliseconds(500))
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.005, silence: silence))
        let silences = Mutex(0)
        let token = log.replicator.addSilenceListener { _ in silences.withLock { $0 += 1 } }
        let error = try await log.runToEnd()
        #expect(error?.domain == CBLError.domain && error?.code == CBLError.timeout)
        #expect(silences.withLock { $0 } == 2)
        token.remove()
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func anUnknownCollectionStopsEvenAContinuousReplicator() async throws {
        let gateway = try await LoopbackGateway.start(collections: ["field.other"])
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.httpNotFound)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func stoppingInTheMiddleOfConnectingStops() async throws {
        let laptop = try Laptop()
        // A port that takes connections and says nothing.
        let gateway = try await LoopbackGateway.start()
        let log = ReplicatorLog(try laptop.configuration(gateway))
        log.replicator.start()
        log.replicator.stop()
        try await log.stopped()
        #expect(log.error == nil)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aConfigurationThatMakesNoSenseIsRefused() async throws {
        let laptop = try Laptop()
        let url = try #require(URL(string: "http://localhost/db"))
        let configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)], target: URLEndpoint(url: url))
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.invalidParameter)
        #expect(
            error?.message
                == "Invalid scheme for URLEndpoint url (http://localhost/db). It must be either 'ws:' or 'wss:'.")
        log.close()
    }

    @Test(.timeLimit(.minutes(1))) func anUnknownInterfaceHasItsNumber() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.networkInterface = "nowhere0"
        configuration.maxAttempts = 10
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.unknownInterface && CBLError.unknownInterface == 5027)
        #expect(gateway.state.withLock { $0.requests.isEmpty })
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["lo", "127.0.0.1"])
    func anInterfaceIsMeantByItsNameOrAddress(interface: String) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.networkInterface = interface
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error == nil)
        log.close()
        try await gateway.stop()
    }

    /// The loopback has addresses of both families; the gateway of this test has IPv6 only.
    @Test(.timeLimit(.minutes(1)), .enabled(if: Self.hasIPv6, "this machine has no IPv6"), arguments: ["lo", "::1"])
    func anInterfaceServesEitherFamily(interface: String) async throws {
        let gateway = try await LoopbackGateway.start(host: "::1")
        let laptop = try Laptop()
        let url = try #require(URL(string: "ws://[::1]:\(gateway.port)/db"))
        var configuration = ReplicatorConfiguration(
            collections: try laptop.configuration(gateway).collections, target: URLEndpoint(url: url))
        configuration.networkInterface = interface
        configuration.maxAttempts = 1
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error == nil)
        log.close()
        try await gateway.stop()
    }

    private static var hasIPv6: Bool {
        ((try? System.enumerateDevices()) ?? []).contains { $0.address?.ipAddress == "::1" }
    }

    @Test(.timeLimit(.minutes(1))) func anInterfaceWithoutAnAddressOfTheFamilyReachesNobody() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.networkInterface = "::1"
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect([CBLError.unknownInterface, Int(EADDRNOTAVAIL)].contains(error?.code))
        #expect(gateway.state.withLock { $0.requests.isEmpty })
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func credentialsCookiesAndHeadersAreSent() async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.responseHeaders = [("Set-Cookie", "SyncGatewaySession=renewed; Path=/db")] }
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.authenticator = BasicAuthenticator(username: "ann", password: "päss")
        configuration.headers = ["X-Custom": "1"]
        for _ in 0..<2 {
            let log = ReplicatorLog(configuration)
            try await log.runToEnd()
            log.close()
        }
        let requests = gateway.state.withLock { $0.requests }
        #expect(requests.map(\.uri) == ["/db/_blipsync", "/db/_blipsync"])
        // What the time is at a gateway that says it.
        gateway.state.withLock { $0.responseHeaders = [("Date", "Sun, 22 Nov 2026 05:19:36 GMT")] }
        let clock = ReplicatorLog(configuration)
        #expect(clock.replicator.gatewayDate == nil)
        try await clock.runToEnd()
        #expect(clock.replicator.gatewayDate == "Sun, 22 Nov 2026 05:19:36 GMT")
        clock.close()
        let expected = "Basic " + Data("ann:päss".utf8).base64EncodedString()
        #expect(requests.allSatisfy { $0.headers["Authorization"] == [expected] })
        #expect(requests.allSatisfy { $0.headers["X-Custom"] == ["1"] })
        #expect(requests.map { $0.headers["Cookie"] } == [[], ["SyncGatewaySession=renewed"]])
        configuration.authenticator = SessionAuthenticator(sessionID: "mine")
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        #expect(gateway.state.withLock { $0.requests.last?.headers["Cookie"] } == ["SyncGatewaySession=mine"])
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func runEndsWithItsTask() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let replicator = Replicator(config: configuration)
        let changes = replicator.statusChanges()
        let task = Task { try await replicator.run() }
        for await change in changes where change.status.activity == .idle { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(replicator.status.activity == .stopped && replicator.status.error == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func runInACancelledTaskThrows() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let replicator = Replicator(config: try laptop.configuration(gateway))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await replicator.run()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(replicator.status.activity == .stopped)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func runReturnsAfterStop() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let replicator = Replicator(config: configuration)
        let changes = replicator.statusChanges()
        let task = Task { try await replicator.run() }
        for await change in changes where change.status.activity == .idle { break }
        replicator.stop()
        try await task.value
        try await gateway.stop()
    }

    /// The program ends as it should, so its service must not report a failure.
    @Test(.timeLimit(.minutes(1))) func runReturnsWhenTheProgramShutsDown() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        let replicator = Replicator(config: configuration)
        let group = ServiceGroup(services: [replicator], logger: Logger(label: "test"))
        let changes = replicator.statusChanges()
        let running = Task { try await group.run() }
        for await change in changes where change.status.activity == .idle { break }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(replicator.status.activity == .stopped)
        try await gateway.stop()
    }

    private typealias Sequences = (statuses: AsyncStream<ReplicatorChange>, documents: AsyncStream<DocumentReplication>)

    /// Of a replicator that has run, and that no variable holds any more.
    private func sequences(of configuration: ReplicatorConfiguration) async throws -> Sequences {
        let replicator = Replicator(config: configuration)
        let sequences = (replicator.statusChanges(), replicator.documentReplications())
        try await replicator.run()
        return sequences
    }

    @Test(.timeLimit(.minutes(1))) func sequencesEndWithTheReplicator() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        let (statuses, documents) = try await sequences(of: laptop.configuration(gateway))
        // Each notice holds the replicator, so neither ends before both are read.
        async let last: Replicator.ActivityLevel? = statuses.reduce(nil) { $1.status.activity }
        async let ids: [String] = documents.reduce(into: []) { $0 += $1.documents.map(\.id) }
        let ends = await (last, ids)
        #expect(ends.0 == .stopped && ends.1 == ["a"])
        try await gateway.stop()
    }
}
