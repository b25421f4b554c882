import DocumentValues
import Testing

@testable import SyncProtocol

/// What a push is made of beside its documents.
@Suite struct PushPartsTests {
    private func change(_ id: String, sequence: UInt64) -> LocalChange {
        LocalChange(
            sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: "a"),
            remoteRevision: RevisionID(generation: 1, digest: "remote"))
    }

    private func candidate(_ id: String, sequence: UInt64, digest: String = "a") -> PushCandidate {
        PushCandidate(
            LocalChange(
                sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: digest),
                remoteRevision: RevisionID(generation: 1, digest: "remote")))
    }

    // MARK: - The local feed

    @Test func aReadEndsAtWhatWasThere() throws {
        var feed = LocalFeed(completed: SequenceRanges(through: 3), doubtful: 0)
        let next = feed.nextRequest()
        let request = try #require(next)
        #expect(request.after == 3 && !request.includesKnown)
        let second = feed.nextRequest()
        #expect(second == nil && feed.isReading, "one read at a time")
        let fresh = feed.read([change("a", sequence: 5)], through: 7, isCaughtUp: true)
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
        let changes = (2...6).map { change("d\($0)", sequence: $0) }
        let fresh = feed.read(changes, through: 6, isCaughtUp: true)
        #expect(fresh.map(\.sequence) == [2, 5, 6])
    }

    /// What the gateway may have lost is proposed as if it had nothing.
    @Test func whatIsInDoubtHasNoRemoteRevision() throws {
        var feed = LocalFeed(completed: SequenceRanges(), doubtful: 2)
        let first = feed.nextRequest()
        #expect(try #require(first).includesKnown)
        let changes = (1...3).map { change("d\($0)", sequence: $0) }
        let fresh = feed.read(changes, through: 3, isCaughtUp: true)
        #expect(fresh.map { $0.remoteRevision == nil } == [true, true, false])
        feed.endDoubt()
        #expect(feed.doubtful == 2)
        feed.changesCommitted()
        let second = feed.nextRequest()
        #expect(try #require(second).includesKnown == false)
    }

    // MARK: - Conflicts

    @Test func aConflictIsReportedOnceAndInTheOrderOfSequences() {
        var conflicts = PushConflicts()
        for (id, sequence) in [("b", UInt64(2)), ("a", 1)] {
            guard case .waiting(nil) = conflicts.add(candidate(id, sequence: sequence), dueAt: 10) else {
                Issue.record("\(id) is new")
                return
            }
        }
        #expect(conflicts.reportTime == 10 && conflicts.waitingCount == 2)
        let early = conflicts.takeDue(at: 9, besides: PushTable())
        #expect(early.isEmpty)
        let reported = conflicts.takeDue(at: 10, besides: PushTable())
        #expect(reported.map(\.documentID) == ["a", "b"])
        #expect(conflicts.reportTime == nil && conflicts.waitingCount == 0)
        guard case .reported = conflicts.add(candidate("a", sequence: 1), dueAt: 11) else {
            Issue.record("it is reported once")
            return
        }
        let rest = conflicts.takeAll()
        #expect(rest.isEmpty)
    }

    @Test(arguments: [true, false]) func whatIsTriedAgainWaitsForItsAnswer(hasAnswer: Bool) {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 5)
        var active = PushTable()
        active.add(candidate("a", sequence: 1))
        let reported = conflicts.takeDue(at: 5, besides: active)
        #expect(reported.isEmpty && conflicts.reportTime == nil)
        if hasAnswer {
            conflicts.scheduleReport(of: "a")
            let later = conflicts.takeDue(at: 5, besides: PushTable())
            #expect(later.map(\.documentID) == ["a"], "it has its time again")
        } else {
            let atTheEnd = conflicts.takeAll()
            #expect(atTheEnd.map(\.documentID) == ["a"], "at the end all are reported")
        }
    }

    @Test func laterConflictsAreReportedLater() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 5)
        _ = conflicts.add(candidate("b", sequence: 2), dueAt: 12)
        let reported = conflicts.takeDue(at: 5, besides: PushTable())
        #expect(reported.map(\.documentID) == ["a"])
        #expect(conflicts.reportTime == 12)
    }

    @Test func theSameRevisionKeepsItsTimeAndANewerOneTakesItsSlot() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 5)
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 6)
        #expect(conflicts.reportTime == 5)
        let same = conflicts.removeOlder(than: candidate("a", sequence: 1))
        #expect(same == nil && conflicts.waitingCount == 1)
        guard case .waiting(let replaced) = conflicts.add(candidate("a", sequence: 2, digest: "b"), dueAt: 7) else {
            Issue.record("the newer one waits")
            return
        }
        #expect(replaced?.sequence == 1 && conflicts.waitingCount == 1)
        let older = conflicts.removeOlder(than: candidate("a", sequence: 3, digest: "c"))
        #expect(older?.sequence == 2)
        let removed = conflicts.remove("a")
        #expect(removed == nil)
    }

    /// What was reported is not reported again, but where somebody has the same revision sent again.
    @Test func whatIsOfferedAgainAfterItsReportWaits() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 5)
        let due = conflicts.takeDue(at: 5, besides: PushTable())
        #expect(due.map(\.sequence) == [1])
        guard case .reported = conflicts.add(candidate("a", sequence: 1), dueAt: 6) else {
            Issue.record("nobody has asked")
            return
        }
        guard case .waiting(nil) = conflicts.add(candidate("a", sequence: 2), dueAt: 6) else {
            Issue.record("somebody has asked")
            return
        }
    }

    /// The sequence that waits to be done is that of the change, whatever comes of a quiet retry.
    @Test func aQuietRetryTakesNoSlot() {
        var conflicts = PushConflicts()
        _ = conflicts.add(candidate("a", sequence: 1), dueAt: 5)
        var retry = candidate("a", sequence: 1)
        retry.isQuietRetry = true
        guard case .waiting(nil) = conflicts.add(retry, dueAt: 6) else {
            Issue.record("nothing is replaced")
            return
        }
        let removed = conflicts.remove("a")
        #expect(removed?.isQuietRetry == false)
    }
}
