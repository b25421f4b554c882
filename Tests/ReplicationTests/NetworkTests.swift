import DocumentStore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// A network that comes back when a test says so.
private final class FakeNetwork: NetworkWatching {
    private let watchers = Mutex<[@Sendable (NetworkChange) -> Void]>([])

    var isWatched: Bool { watchers.withLock { !$0.isEmpty } }

    func watch(_ notify: @escaping @Sendable (NetworkChange) -> Void) -> ListenerToken {
        watchers.withLock { $0.append(notify) }
        return ListenerToken { [self] in watchers.withLock { $0 = [] } }
    }

    func comeBack() { notify(.better) }

    func notify(_ news: NetworkChange) { for notify in watchers.withLock({ $0 }) { notify(news) } }
}

private struct NoNetlink: NetworkWatching {
    func watch(_ notify: @escaping @Sendable (NetworkChange) -> Void) throws -> ListenerToken {
        throw ReplicationError(code: 1, message: "not here")
    }
}

@Suite struct NetworkTests {
    /// Its waits are so long that only the network can end them.
    private func persistent(
        _ laptop: Laptop, _ gateway: LoopbackGateway, _ network: any NetworkWatching,
        _ change: (inout ReplicatorConfiguration) -> Void = { _ in }
    ) throws -> ReplicatorLog {
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = true
        configuration.maxAttempts = .max
        configuration.maxAttemptWaitTime = 100_000
        change(&configuration)
        return ReplicatorLog(configuration, ReplicatorEnvironment(network: network, firstWait: 10_000))
    }

    /// As many as it takes for the threads of all connections; none stays open.
    @Test func descriptorsAreLookedForBeforeTheFirstConnection() throws {
        for _ in 0..<100 { #expect(EventLoops.shortage(of: 24) == 0) }
        #expect(try EventLoops.shared() === EventLoops.shared())
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func aNetworkThatComesBackEndsTheWait(isContinuous: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let (laptop, network) = (try Laptop(), FakeNetwork())
        gateway.state.withLock { $0.refusals = [.serviceUnavailable, .badGateway] }
        let log = try persistent(laptop, gateway, network) {
            $0.continuous = isContinuous
            $0.maxAttempts = 10
        }
        log.replicator.start()
        for attempt in 1...2 {
            try await log.wait { log.activities.filter { $0 == .offline }.count == attempt }
            // In steps, as a network does.
            for _ in 0..<3 { network.comeBack() }
        }
        try await log.wait { log.activities.last == (isContinuous ? .idle : .stopped) }
        #expect(gateway.state.withLock { $0.requests.count } == 3)
        try await log.stopOrLeave(isContinuous)
        #expect(!network.isWatched)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aNetworkThatChangesDoesNotDisturbAConnection() async throws {
        let gateway = try await LoopbackGateway.start()
        let (laptop, network) = (try Laptop(), FakeNetwork())
        let log = try persistent(laptop, gateway, network)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        for news in [NetworkChange.worse, .better] { network.notify(news) }
        gateway.put("a", #"{"c":"north"}"#)
        try await log.wait { try laptop.json("a") != nil && log.activities.last == .idle }
        #expect(!log.activities.contains(.offline))
        #expect(gateway.state.withLock { $0.requests.count } == 1)
        try await log.stop()
        try await gateway.stop()
    }

    /// The computer has changed from one network to another: nobody notifies a connection of the first that it is dead.
    @Test(.timeLimit(.minutes(1))) func aConnectionThatTheChangeHasKilledIsMadeAgain() async throws {
        let gateway = try await LoopbackGateway.start()
        let (laptop, network) = (try Laptop(), FakeNetwork())
        let proxy = try await HostileProxy.start(to: gateway.port)
        var configuration = try laptop.configuration(gateway, through: proxy)
        configuration.continuous = true
        configuration.maxAttempts = .max
        let environment = ReplicatorEnvironment(
            network: network, firstWait: 0.01, pongTimeout: .milliseconds(100))
        let log = ReplicatorLog(configuration, environment)
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        proxy.stallAll()
        gateway.put("a", #"{"c":"north"}"#)
        network.comeBack()
        try await log.wait { try laptop.json("a") != nil && log.activities.last == .idle }
        #expect(log.errors.map(\.code) == [CBLError.timeout] && proxy.connections == 2)
        try await log.stop()
        try await proxy.stop()
        try await gateway.stop()
    }

    /// Its request went into a network that is gone, so there is no answer.
    @Test(.timeLimit(.minutes(1))) func aNetworkThatComesBackBeginsTheAttemptAgain() async throws {
        let gateway = try await LoopbackGateway.start()
        let (laptop, network) = (try Laptop(), FakeNetwork())
        gateway.put("a", #"{"c":"north"}"#)
        let proxy = try await HostileProxy.start(to: gateway.port) { number in
            guard number == 0 else { return .none }
            network.comeBack()
            return .init(stall: 0)
        }
        var configuration = try laptop.configuration(gateway, through: proxy)
        configuration.maxAttempts = 2
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(network: network, firstWait: 10_000))
        log.replicator.start()
        try await log.stopped()
        #expect(try laptop.json("a") != nil && log.error == nil)
        #expect(!log.activities.contains(.offline), "no attempt has failed: \(log.activities)")
        #expect(proxy.connections == 2)
        log.close()
        try await proxy.stop()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func stoppingWhileWaitingStopsAtOnce() async throws {
        let gateway = try await LoopbackGateway.start()
        let (laptop, network) = (try Laptop(), FakeNetwork())
        gateway.state.withLock { $0.refusals = [.serviceUnavailable] }
        let log = try persistent(laptop, gateway, network)
        log.replicator.start()
        try await log.wait { log.activities.last == .offline }
        try await log.stop()
        network.comeBack()
        #expect(log.replicator.status.activity == .stopped && log.error == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aSystemThatReportsNothingIsNoHindrance() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let log = ReplicatorLog(
            try laptop.configuration(gateway), ReplicatorEnvironment(network: NoNetlink()))
        let error = try await log.runToEnd()
        #expect(error == nil)
        log.close()
        try await gateway.stop()
    }

    @Test func theKernelLetsItselfBeWatched() throws {
        let token = try RouteWatcher().watch { _ in }
        token.remove()
        token.remove()
    }
}

extension ReplicatorLog {
    fileprivate func stopOrLeave(_ isRunning: Bool) async throws {
        if isRunning { try await stop() } else { close() }
    }
}

@Suite struct RouteMessagesTests {
    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    /// A message with its header, filled up to a multiple of four.
    private static func message(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
        let length = 16 + content.count
        let message = bytes(UInt32(length)) + bytes(type) + [UInt8](repeating: 0, count: 10) + content
        return message + [UInt8](repeating: 0, count: (4 - length % 4) % 4)
    }

    private static func link(_ index: Int32, running: Bool) -> [UInt8] {
        message(16, [0, 0, 1, 0] + bytes(index) + bytes(UInt32(running ? 0x1_0043 : 0x1003)) + bytes(UInt32(0)))
    }

    private static func route(table: UInt8, kind: UInt8) -> [UInt8] {
        message(24, [2, 0, 0, 0, table, 3, 0, kind, 0, 0, 0, 0])
    }

    private static let cases: [(name: String, bytes: [UInt8], news: NetworkChange?)] = [
        ("an address", message(20, [2, 24, 0, 0, 2, 0, 0, 0]), .better),
        ("an address that went", message(21, [2, 24, 0, 0, 2, 0, 0, 0]), .worse),
        ("a default route", route(table: 254, kind: 1), .better),
        ("a route of a policy's table", route(table: 100, kind: 1), .better),
        ("the kernel's own table", route(table: 255, kind: 2), nil),
        ("an unreachable route", route(table: 254, kind: 7), nil),
        ("a route that went", message(25, [2, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0]), .worse),
        ("a link that runs", link(2, running: true), .better),
        ("a link that does not", link(2, running: false), .worse),
        ("the second of two", link(2, running: false) + message(20, [2, 24, 0, 0, 2, 0, 0, 0]), .better),
        ("one of odd length before it", message(99, [1, 2, 3]) + link(2, running: true), .better),
        ("nothing", [], nil), ("half a header", [20, 0, 0, 0, 20], nil),
        ("a length of nothing", [UInt8](repeating: 0, count: 64), nil),
        ("a length beyond the end", bytes(UInt32(400)) + bytes(UInt16(20)) + [0, 0, 0, 0], nil),
        ("half a route", message(24, [2, 0, 0, 0]), nil), ("half a link", message(16, [0, 0, 0, 0, 1]), nil),
    ]

    @Test(arguments: cases)
    func whatIsNews(name: String, bytes: [UInt8], news: NetworkChange?) {
        var messages = RouteMessages()
        #expect(messages.read(bytes[...]) == news, "\(name)")
    }

    @Test func aLinkIsNewsOnlyWhenItBeginsToRun() {
        var messages = RouteMessages()
        let states = [true, true, false, false, true]
        #expect(
            states.map { messages.read(Self.link(3, running: $0)[...]) } == [.better, nil, .worse, nil, .better])
    }
}
