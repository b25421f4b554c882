import DocumentValues
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct ChangeNotifierTests {
    private static func channel(_ number: Int) -> ChannelKey { ChannelKey(collection: 1, channel: Name("c\(number)")) }

    private static func publish(_ channels: Range<Int>, from sequence: UInt64, by notifier: ChangeNotifier) {
        var effects = CommitEffects()
        for (offset, number) in channels.enumerated() { effects.channels[channel(number)] = sequence + UInt64(offset) }
        effects.lastSequence = sequence + UInt64(channels.count) - 1
        notifier.publish(effects)
    }

    /// For those who watch many.
    @Test func anyChangeWakesThoseWhoWaitForAll() async throws {
        let notifier = ChangeNotifier()
        notifier.begin(at: 10)
        let epoch = notifier.epoch
        let other = Task { try await notifier.wait(for: [.anyChannel(of: 2), .anyPrincipal], after: 10, epoch: epoch) }
        async let news: Void = notifier.wait(for: [.anyChannel(of: 1)], after: 10, epoch: epoch)
        Self.publish(3..<4, from: 11, by: notifier)
        try await news
        try await notifier.wait(for: [.anyChannel(of: 1)], after: 10, epoch: epoch)
        var effects = CommitEffects()
        effects.principals = ["ann"]
        effects.lastSequence = 12
        notifier.publish(effects)
        try await other.value
        #expect(!notifier.mayHaveChanged(.anyChannel(of: 2), after: 11))
    }

    /// Whoever waits for a channel of which nothing is remembered looks once in vain, and misses nothing.
    @Test func whatIsForgottenMayHaveChanged() async throws {
        let notifier = ChangeNotifier()
        notifier.begin(at: 10)
        let limit = GatewayLimits.rememberedTopics
        Self.publish(0..<1, from: 11, by: notifier)
        #expect(notifier.mayHaveChanged(.channel(Self.channel(0)), after: 10))
        #expect(!notifier.mayHaveChanged(.channel(Self.channel(7)), after: 10))
        Self.publish(0..<(limit + 2), from: 12, by: notifier)
        let last = notifier.lastSequence
        #expect(notifier.rememberedTopics <= limit)
        #expect(notifier.mayHaveChanged(.channel(Self.channel(0)), after: 11))
        #expect(!notifier.mayHaveChanged(.channel(Self.channel(0)), after: last))
        #expect(notifier.mayHaveChanged(.channel(Self.channel(limit + 1)), after: last - 1))
        // Returns at once: it may have changed.
        try await notifier.wait(for: [.channel(Self.channel(0))], after: 12, epoch: notifier.epoch)
        async let news: Void = notifier.wait(for: [.channel(Self.channel(0))], after: last, epoch: notifier.epoch)
        Self.publish(0..<1, from: last + 1, by: notifier)
        try await news
    }
}
