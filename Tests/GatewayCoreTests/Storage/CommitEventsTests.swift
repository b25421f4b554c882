import DocumentValues
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct CommitEventsTests {
    private static func channel(_ number: Int) -> ChannelKey { ChannelKey(collection: 1, channel: Name("c\(number)")) }

    private static func append(_ channels: Range<Int>, from sequence: UInt64, to commits: CommitEvents) {
        var effects = CommitEffects()
        for (offset, number) in channels.enumerated() { effects.channels[channel(number)] = sequence + UInt64(offset) }
        effects.lastSequence = sequence + UInt64(channels.count) - 1
        commits.append(effects)
    }

    /// For feeds that follow many channels.
    @Test func anyChangeWakesThoseWhoWaitForAll() async throws {
        let commits = CommitEvents(after: 10)
        let epoch = commits.epoch
        let other = Task { try await commits.wait(for: [.anyChannel(of: 2), .anyPrincipal], after: 10, epoch: epoch) }
        async let news: Void = commits.wait(for: [.anyChannel(of: 1)], after: 10, epoch: epoch)
        Self.append(3..<4, from: 11, to: commits)
        try await news
        try await commits.wait(for: [.anyChannel(of: 1)], after: 10, epoch: epoch)
        var effects = CommitEffects()
        effects.principals = ["ann"]
        effects.lastSequence = 12
        commits.append(effects)
        try await other.value
        #expect(!commits.mayHaveChanged(.anyChannel(of: 2), after: 11))
    }

    /// A feed that waits for a channel whose last change is forgotten may read the list once for nothing, but misses no
    /// change.
    @Test func whatIsForgottenMayHaveChanged() async throws {
        let commits = CommitEvents(after: 10)
        let limit = GatewayLimits.rememberedTopics
        Self.append(0..<1, from: 11, to: commits)
        #expect(commits.mayHaveChanged(.channel(Self.channel(0)), after: 10))
        #expect(!commits.mayHaveChanged(.channel(Self.channel(7)), after: 10))
        Self.append(0..<(limit + 2), from: 12, to: commits)
        let last = commits.lastSequence
        #expect(commits.mayHaveChanged(.channel(Self.channel(limit + 7)), after: 11), "any that is not remembered")
        #expect(commits.mayHaveChanged(.channel(Self.channel(0)), after: 11))
        #expect(!commits.mayHaveChanged(.channel(Self.channel(0)), after: last))
        #expect(commits.mayHaveChanged(.channel(Self.channel(limit + 1)), after: last - 1))
        // Returns at once: it may have changed.
        try await commits.wait(for: [.channel(Self.channel(0))], after: 12, epoch: commits.epoch)
        async let news: Void = commits.wait(for: [.channel(Self.channel(0))], after: last, epoch: commits.epoch)
        Self.append(0..<1, from: last + 1, to: commits)
        try await news
    }

    @Test func principalsAreComparedWithWhatChangedSince() {
        let commits = CommitEvents(after: 10)
        func change(_ names: Set<Name>) {
            var effects = CommitEffects()
            effects.principals = names
            commits.append(effects)
        }
        change(["ann"])
        let count = commits.principalCommits
        #expect(!commits.mayHaveChanged(principals: ["ann", "bob"], after: count))
        change([])
        #expect(commits.principalCommits == count)
        change(["bob"])
        #expect(commits.mayHaveChanged(principals: ["ann", "bob"], after: count))
        #expect(!commits.mayHaveChanged(principals: ["ann"], after: count))
    }

    /// A sync function may grant to any number of principals.
    @Test func principalsThatAreForgottenMayHaveChanged() {
        let commits = CommitEvents(after: 10)
        var effects = CommitEffects()
        effects.principals = ["ann"]
        commits.append(effects)
        effects.principals = Set((0...GatewayLimits.rememberedTopics).map { Name("user\($0)") })
        commits.append(effects)
        #expect(commits.mayHaveChanged(principals: ["ann"], after: 1))
        #expect(!commits.mayHaveChanged(principals: ["ann"], after: commits.principalCommits))
    }
}
