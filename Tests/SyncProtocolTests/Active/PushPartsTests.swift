import DocumentValues
import Testing

@testable import SyncProtocol

/// What a push is made of beside its documents.
@Suite struct PushPartsTests {
    private func candidate(_ id: String, sequence: UInt64, digest: String = "a") -> PushCandidate {
        PushCandidate(
            sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: digest),
            remoteRevision: RevisionID(generation: 1, digest: "remote"))
    }

    // MARK: - The local feed

    @Test func aReadEndsAtWhatWasThere() throws {
        var feed = LocalFeed(completed: SequenceRanges(through: 3), doubtful: 0)
        let next = feed.nextRequest()
        let request = try #require(next)
        #expect(request.after == 3 && !request.includesKnown)
        let second = feed.nextRequest()
        #expect(second == nil && feed.isReading, "one read at a time")
        let fresh = feed.read([candidate("a", sequence: 5)], through: 7, isCaughtUp: true)
        #expect(fresh.map(\.sequence) == [5])
        let third = feed.nextRequest()
        #expect(feed.isCaughtUp && third == nil)
        #expect(feed.completed.through == 7, "what was read needs work only where it is said to")
        feed.reopen(5)
        #expect(feed.completed.through == 4)
        feed.complete(5)
        #expect(feed.completed.through == 7)
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func thereIsMoreToRead(isCommitted: Bool, isCaughtUp: Bool) throws {
        var feed = LocalFeed(completed: SequenceRanges(), doubtful: 0)
        _ = feed.nextRequest()
        if isCommitted { feed.changesCommitted() }
        _ = feed.read([], through: 2, isCaughtUp: isCaughtUp)
        #expect(feed.isCaughtUp == (!isCommitted && isCaughtUp))
        let next = feed.nextRequest()
        #expect(next?.after == (isCommitted || !isCaughtUp ? 2 : nil))
    }

    @Test func whatWasDoneBeforeTheSessionIsNotDoneAgain() {
        var feed = LocalFeed(completed: SequenceRanges([0..<2, 3..<5]), doubtful: 0)
        _ = feed.nextRequest()
        let changes = (2...6).map { candidate("d\($0)", sequence: $0) }
        let fresh = feed.read(changes, through: 6, isCaughtUp: true)
        #expect(fresh.map(\.sequence) == [2, 5, 6])
    }

    /// What the gateway may have lost is proposed as if it had nothing.
    @Test func whatIsInDoubtHasNoRemoteRevision() throws {
        var feed = LocalFeed(completed: SequenceRanges(), doubtful: 2)
        let first = feed.nextRequest()
        #expect(try #require(first).includesKnown)
        let changes = (1...3).map { candidate("d\($0)", sequence: $0) }
        let fresh = feed.read(changes, through: 3, isCaughtUp: true)
        #expect(fresh.map { $0.remoteRevision == nil } == [true, true, false])
        feed.endDoubt()
        #expect(feed.doubtful == 2)
        feed.changesCommitted()
        let second = feed.nextRequest()
        #expect(try #require(second).includesKnown == false)
    }

    // MARK: - Conflicts

    private let due = ActiveLimits.conflictReportDelay

    @Test func aConflictIsReportedOnceAndInTheOrderOfSequences() {
        var conflicts = PushConflicts()
        for (id, sequence) in [("b", UInt64(2)), ("a", 1)] {
            guard case .new = conflicts.add(candidate(id, sequence: sequence), at: 10, isReportedLater: true) else {
                Issue.record("\(id) is new")
                return
            }
        }
        #expect(conflicts.reportTime == 10 + due)
        let early = conflicts.takeDue(at: 9 + due, besides: PushTable())
        #expect(early.isEmpty)
        let reported = conflicts.takeDue(at: 10 + due, besides: PushTable())
        #expect(reported.map(\.documentID) == ["a", "b"])
        #expect(conflicts.reportTime == nil)
        let rest = conflicts.takeAll()
        #expect(rest.isEmpty)
    }

    @Test func whatIsTriedAgainWaitsForItsAnswer() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), at: 0, isReportedLater: true)
        var active = PushTable()
        active.add(candidate("a", sequence: 1))
        let reported = conflicts.takeDue(at: due, besides: active)
        #expect(reported.isEmpty)
        let atTheEnd = conflicts.takeAll()
        #expect(atTheEnd.map(\.documentID) == ["a"], "at the end all are reported")
    }

    @Test func laterConflictsAreReportedLater() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), at: 0, isReportedLater: true)
        _ = conflicts.add(candidate("b", sequence: 2), at: 7, isReportedLater: true)
        let reported = conflicts.takeDue(at: due, besides: PushTable())
        #expect(reported.map(\.documentID) == ["a"])
        #expect(conflicts.reportTime == 7 + due)
    }

    @Test func theSameRevisionIsKnownAndANewerOneIsNot() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), at: 0, isReportedLater: false)
        #expect(conflicts.reportTime == nil, "a run that ends reports at its end")
        if case .known(isReported: false) = conflicts.add(candidate("a", sequence: 1), at: 1, isReportedLater: false) {
        } else {
            Issue.record("it is the same")
        }
        conflicts.removeOlder(than: candidate("a", sequence: 1))
        let rest = conflicts.takeAll()
        #expect(rest.count == 1)
        _ = conflicts.add(candidate("a", sequence: 1), at: 0, isReportedLater: false)
        conflicts.removeOlder(than: candidate("a", sequence: 2, digest: "b"))
        let removed = conflicts.remove("a")
        #expect(removed == nil)
    }
}
