import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct LargeLoadsTests {
    private static let large = GatewayLimits.largeLoad + 1

    private static func load(_ bytes: Int, of account: Name, by loads: LargeLoads) async throws -> LargeLoads.Turn? {
        try await loads.load(for: account) { ((), bytes: bytes) }.1
    }

    /// Any number of connections that read nothing together hold no more than their user's share.
    @Test func thoseOfAnAccountWaitForEachOther() async throws {
        let loads = LargeLoads(total: 100 * Self.large, share: Self.large)
        var first = try await Self.load(Self.large, of: "ann", by: loads)
        #expect(first != nil)
        #expect(try await Self.load(1_000, of: "ann", by: loads) == nil, "what is little waits for nobody")
        let isLoaded = Flag()
        let waiting = Task {
            let turn = try await Self.load(Self.large, of: "ann", by: loads)
            isLoaded.set()
            return turn
        }
        let other = try await Self.load(Self.large, of: "bob", by: loads)
        #expect(other != nil && !isLoaded.isSet)
        withExtendedLifetime(first) {}
        first = nil
        #expect(try await waiting.value != nil)
        withExtendedLifetime(other) {}
    }

    /// A laptop that falls asleep during a download delays neither the small records of its user nor other users.
    @Test func whatIsLittlePassesThoseThatWait() async throws {
        let loads = LargeLoads(total: 2 * Self.large, share: Self.large)
        let first = try await Self.load(Self.large, of: "ann", by: loads)
        let waiting = (0..<10).map { _ in Task { try await Self.load(Self.large, of: "ann", by: loads) } }
        for _ in 0..<200 {
            #expect(try await Self.load(1_000, of: "ann", by: loads) == nil)
            #expect(try await Self.load(Self.large, of: "bob", by: loads) != nil)
        }
        for task in waiting { task.cancel() }
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        withExtendedLifetime(first) {}
        #expect(try await Self.load(1_000, of: "ann", by: loads) == nil)
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    @Test func whatIsSentIsLetGoOf() async throws {
        let loads = LargeLoads(total: 100 * Self.large, share: 100 * Self.large)
        var held = HeldLoads()
        for _ in 0..<3 { held.append(try #require(try await Self.load(Self.large, of: "ann", by: loads))) }
        #expect(held.count == 3)
        held.release(downTo: 3 * Self.large)
        #expect(held.count == 3)
        held.release(downTo: 2 * Self.large - 1)
        #expect(held.count == 2)
        held.release(downTo: 0)
        #expect(held.count == 0)
    }
}
