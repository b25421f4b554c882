import AccessControl
import DocumentValues
import Testing

/// The rows to be read for a client at a given position, as in the recorded answers of Sync Gateway.
@Suite struct FeedPlanTests {
    private static let collection = CollectionName.default

    private static func view(_ held: [Name: UInt64], lost: [Name: [SequenceSpan]] = [:]) -> AccessView {
        let channels = ChannelGrants(
            held: [collection: TimedSet(held)], history: [collection: GrantHistory(lost)])
        return AccessView(
            user: UserGrants(name: "alice", channels: channels), collection: collection, role: { _ in nil })
    }

    private static func plan(
        _ view: AccessView, _ since: SequenceID, through: UInt64 = 100, channels: Set<Name>? = nil
    ) -> FeedPlan {
        FeedPlan(view: view, since: since, through: through, channels: channels, wantsRevocations: true)
    }

    private static func scan(
        _ channel: Name, _ after: UInt64, _ through: UInt64, _ triggeredBy: UInt64 = 0
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

    /// Lost at 24 (rest-12 11-15): reported to clients that are not past it, from the beginning or where they stopped.
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
        let plan = Self.plan(view, SequenceID(22))
        #expect(plan.revocations.isEmpty)
        #expect(plan.scans.contains(Self.scan("a", 0, 24, 25)))
        #expect(plan.gone.map(\.after) == [22] && plan.gone.map(\.through) == [24])
        #expect(plan.gone[0].mayHave(membership: [SequenceSpan(start: 23, end: 24)]))
        #expect(!plan.gone[0].mayHave(membership: [SequenceSpan(start: 24, end: 25)]), "it came after the loss")
        #expect(Self.plan(view, SequenceID(1)).gone.map(\.after) == [4], "before, the client had nothing of it")
        #expect(Self.plan(view, SequenceID(10, triggeredBy: 25)).gone.isEmpty, "reported before the grant's rows")
    }

    @Test func whatIsGoneIsNotSentAgain() {
        let fresh = Self.plan(Self.view(["a": 25]), SequenceID(23))
        #expect(fresh.gone.isEmpty)
        let backfill = fresh.scans.first { $0.triggeredBy == 25 }
        #expect(backfill?.includes(isGone: true) == false)
        #expect(backfill?.includes(isGone: false) == true)
    }

    /// A client that has to end right wherever it is interrupted is notified at the sequence where something went.
    @Test func whatWentBeforeALossIsReportedThereOrAtTheLoss() throws {
        let view = Self.view([:], lost: ["a": [SequenceSpan(start: 10, end: 20)]])
        for reportsInPlace in [true, false] {
            let plan = FeedPlan(
                view: view, since: SequenceID(12), through: 100, wantsRevocations: true,
                reportsLossesInPlace: reportsInPlace)
            #expect(plan.gone.map(\.after) == (reportsInPlace ? [12] : []))
            let revocation = try #require(plan.revocations.first)
            let stay = [SequenceSpan(start: 11, end: 15)]
            #expect(revocation.includes(15, isGone: true, membership: stay) == !reportsInPlace)
            #expect(revocation.includes(11, isGone: false, membership: stay))
        }
    }

    @Test func newerDocumentsAreGivenUpOnlyIfTheClientMayHaveThem() throws {
        let view = Self.view([:], lost: ["a": [SequenceSpan(start: 10, end: 20)]])
        let revocation = try #require(Self.plan(view, SequenceID(12)).revocations.first)
        #expect(revocation.includes(11, isGone: false, membership: [SequenceSpan(start: 1, end: .max)]))
        #expect(revocation.includes(25, isGone: true, membership: [SequenceSpan(start: 15, end: 25)]))
        #expect(!revocation.includes(25, isGone: false, membership: [SequenceSpan(start: 25, end: .max)]))
    }

    /// Others are read while `*` is new, since a client may stop before; from there on one list reports it all.
    @Test func theRestIsReadUpToANewStar() {
        let view = Self.view(["*": 30, "a": 1, "b": 40], lost: ["c": [SequenceSpan(start: 5, end: 20)]])
        let plan = Self.plan(view, SequenceID(10))
        #expect(
            Set(plan.scans) == [
                Self.scan("*", 0, 29, 30), Self.scan("*", 29, 100), Self.scan("a", 10, 29), Self.scan("!", 10, 29),
            ])
        #expect(plan.gone.map(\.channel) == ["c"] && plan.gone.map(\.through) == [29])
    }
}
