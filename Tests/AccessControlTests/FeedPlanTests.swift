import AccessControl
import DocumentValues
import Testing

/// What has to be read for a client at a given position, as Sync Gateway was recorded to answer.
@Suite struct FeedPlanTests {
    private static let collection = CollectionName.default

    private static func view(_ held: [String: UInt64], lost: [String: [SequenceSpan]] = [:]) -> AccessView {
        let channels = ChannelHoldings(
            held: [collection: TimedSet(held)], history: [collection: GrantHistory(lost)])
        return AccessView(
            user: UserGrants(name: "alice", channels: channels), collection: collection, role: { _ in nil })
    }

    private static func plan(
        _ view: AccessView, _ since: SequenceID, through: UInt64 = 100, channels: Set<String>? = nil
    ) -> FeedPlan {
        FeedPlan(view: view, since: since, through: through, channels: channels, wantsRevocations: true)
    }

    private static func scan(
        _ channel: String, _ after: UInt64, _ through: UInt64, _ triggeredBy: UInt64 = 0
    ) -> ChannelScan {
        ChannelScan(channel: channel, after: after, through: through, triggeredBy: triggeredBy)
    }

    struct ScanCase: Sendable {
        let heldSince: UInt64
        let since: SequenceID
        let expected: [ChannelScan]

        init(_ heldSince: UInt64, _ since: SequenceID, _ expected: [ChannelScan]) {
            self.heldSince = heldSince
            self.since = since
            self.expected = expected
        }
    }

    private static let scanCases: [ScanCase] = [
        // Held from the beginning: no backfill, not even for a new client.
        ScanCase(1, SequenceID(0), [scan("a", 0, 100)]),
        // Granted at 21: a new client gets what is older as "21:n" (rest-06 53).
        ScanCase(21, SequenceID(0), [scan("a", 0, 20, 21), scan("a", 20, 100)]),
        ScanCase(21, SequenceID(20), [scan("a", 0, 20, 21), scan("a", 20, 100)]),
        ScanCase(21, SequenceID(21), [scan("a", 21, 100)]),
        // An interrupted backfill goes on where it stopped.
        ScanCase(21, SequenceID(5, triggeredBy: 21), [scan("a", 5, 20, 21), scan("a", 20, 100)]),
        // Within the backfill of an older or a newer grant.
        ScanCase(21, SequenceID(5, triggeredBy: 9), [scan("a", 0, 20, 21), scan("a", 20, 100)]),
        ScanCase(21, SequenceID(5, triggeredBy: 30), [scan("a", 29, 100)]),
        // Granted after what this pass covers: the next pass sees to it.
        ScanCase(101, SequenceID(0), []),
    ]

    @Test(arguments: scanCases)
    func scansOfOneChannel(scanCase: ScanCase) {
        let plan = Self.plan(Self.view(["a": scanCase.heldSince]), scanCase.since)
        #expect(plan.scans.filter { $0.channel == "a" } == scanCase.expected)
    }

    @Test func everybodyReadsThePublicChannel() {
        #expect(Self.plan(Self.view([:]), .zero).scans == [Self.scan("!", 0, 100)])
    }

    @Test func filtersOpenNothing() {
        let view = Self.view(["a": 1, "b": 1])
        #expect(Self.plan(view, .zero, channels: ["b", "c"]).scans == [Self.scan("b", 0, 100)])
        // `*` means everything that is held (rest-11 21).
        #expect(Self.plan(view, .zero, channels: ["*"]).scans.map(\.channel) == ["!", "a", "b"])
    }

    @Test func whoSeesEverythingReadsOneList() {
        let view = Self.view(["*": 5, "a": 1])
        #expect(Self.plan(view, SequenceID(7)).scans == [Self.scan("*", 7, 100)])
        #expect(Self.plan(view, SequenceID(7), channels: ["b"]).scans == [Self.scan("b", 7, 100)])
    }

    /// Lost at 24 (rest-12 11-15): told to whoever was not yet past it, from the beginning or from where it stopped.
    private static let revocationCases: [(since: SequenceID, after: UInt64?)] = [
        (SequenceID(0), 0), (SequenceID(23), 0), (SequenceID(24), nil), (SequenceID(3, triggeredBy: 24), 3),
        (SequenceID(3, triggeredBy: 30), nil),
    ]

    @Test(arguments: revocationCases)
    func revocationOfOneChannel(since: SequenceID, after: UInt64?) {
        let view = Self.view([:], lost: ["a": [SequenceSpan(start: 1, end: 24)]])
        let revocations = Self.plan(view, since).revocations
        #expect(revocations.map(\.after) == (after.map { [$0] } ?? []))
        #expect(revocations.allSatisfy { $0.channel == "a" && $0.revokedAt == 24 })
    }

    @Test func lostAndRegainedIsNoRevocation() {
        let view = Self.view(["a": 25], lost: ["a": [SequenceSpan(start: 5, end: 24)]])
        let plan = Self.plan(view, SequenceID(23))
        #expect(plan.revocations.isEmpty)
        let backfill = ChannelScan(channel: "a", after: 0, through: 24, triggeredBy: 25, goneAfter: 4)
        #expect(plan.scans.contains(backfill))
        #expect(backfill.includes(5, isGone: true), "the client may have passed it while the channel was lost")
        #expect(!backfill.includes(4, isGone: true), "it was gone before the channel was first held")
        let resumed = Self.plan(view, SequenceID(10, triggeredBy: 25)).scans.first { $0.triggeredBy == 25 }
        #expect(resumed?.goneAfter == 4)
    }

    @Test func whatIsGoneIsToldOnlyToThoseWhoMayHaveIt() {
        let fresh = Self.plan(Self.view(["a": 25]), SequenceID(23)).scans.first { $0.triggeredBy == 25 }
        #expect(fresh?.includes(24, isGone: true) == false)
        #expect(fresh?.includes(24, isGone: false) == true)
    }

    @Test func newerDocumentsAreGivenUpOnlyIfTheClientMayHaveThem() throws {
        let view = Self.view([:], lost: ["a": [SequenceSpan(start: 10, end: 20)]])
        let revocation = try #require(Self.plan(view, SequenceID(12)).revocations.first)
        #expect(revocation.mayHave(sequence: 11, membership: [SequenceSpan(start: 1, end: .max)]))
        #expect(revocation.mayHave(sequence: 15, membership: [SequenceSpan(start: 15, end: .max)]))
        #expect(!revocation.mayHave(sequence: 25, membership: [SequenceSpan(start: 25, end: .max)]))
    }
}
