import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Documents of a push with which nothing is done: in conflict, reported, or postponed.
@Suite struct RestingDocumentTests {
    private func candidate(_ id: String, sequence: UInt64, digest: String = "a", isQuiet: Bool = false) -> PushCandidate
    {
        var candidate = PushCandidate(
            LocalChange(
                sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: digest),
                remoteRevision: RevisionID(generation: 1, digest: "remote")))
        candidate.isQuietRetry = isQuiet
        return candidate
    }

    private func inConflict(until time: Instant, isUnknown: Bool = false) -> PushedDocument.Stage {
        .inConflict(PushedDocument.OpenConflict(reportTime: time, isUnknown: isUnknown))
    }

    /// In conflict until the time that is given.
    private func table(_ conflicts: [(id: String, sequence: UInt64, time: Instant)]) -> PushTable {
        var table = PushTable()
        for (id, sequence, time) in conflicts {
            let handle = table.add(candidate(id, sequence: sequence), at: .proposed)
            table.rest(handle, at: inConflict(until: time))
        }
        return table
    }

    @Test func aConflictIsReportedOnceAndInTheOrderOfSequences() {
        var table = table([("b", 2, 10), ("a", 1, 10)])
        #expect(table.reportTime == 10 && table.conflicts.count == 2)
        #expect(table.underWayCount == 0 && table.openCount == 2)
        let early = table.takeDueConflicts(at: 9)
        #expect(early.isEmpty)
        let reported = table.takeDueConflicts(at: 10)
        #expect(reported.map(\.documentID) == ["a", "b"])
        #expect(table.reportTime == nil && table.openCount == 0)
        let again = table.takeDueConflicts(at: 20)
        let rest = table.takeAllConflicts()
        #expect(again.isEmpty && rest.isEmpty)
    }

    @Test func laterConflictsAreReportedLater() {
        var table = table([("a", 1, 5), ("b", 2, 12)])
        let reported = table.takeDueConflicts(at: 5)
        #expect(reported.map(\.documentID) == ["a"])
        #expect(table.reportTime == 12)
        let atTheEnd = table.takeAllConflicts()
        #expect(atTheEnd.map(\.documentID) == ["b"], "at the end all are reported")
    }

    /// A document in conflict that is proposed again waits for the gateway's answer.
    @Test(arguments: [true, false]) func aDocumentThatIsTriedAgainWaitsForItsAnswer(hasAnswer: Bool) throws {
        var table = table([("a", 1, 5)])
        let handle = try #require(table.handle(of: "a"))
        table.resume(handle, with: table[handle].candidate)
        let reported = table.takeDueConflicts(at: 5)
        #expect(reported.isEmpty && table.reportTime == nil && table.underWayCount == 1)
        guard hasAnswer else {
            let atTheEnd = table.takeAllConflicts()
            #expect(atTheEnd.isEmpty && table.openCount == 1, "its sequence stays open for the next session")
            return
        }
        _ = table.pop(.proposable)
        table.rest(handle, at: inConflict(until: 12))
        let early = table.takeDueConflicts(at: 11)
        let later = table.takeDueConflicts(at: 12)
        #expect(early.isEmpty && later.map(\.documentID) == ["a"], "it has its time again")
    }

    @Test func whatIsUnknownIsAskedForOnceAndInTheOrderOfSequences() throws {
        var table = table([("known", 1, 5)])
        for (id, sequence, time) in [("c", UInt64(4), Instant(5)), ("b", 3, 5), ("later", 2, 6)] {
            table.add(candidate(id, sequence: sequence), at: inConflict(until: time, isUnknown: true))
        }
        let asked = table.takeUnknownConflicts(at: 5)
        #expect(asked.map(\.documentID) == ["b", "c"])
        table.noteKnown(try #require(table.handle(of: "later")))
        let nothing = table.takeUnknownConflicts(at: 6)
        #expect(nothing.isEmpty && table.conflicts.count == 4)
    }

    /// What was reported is not reported again, but where somebody has the same revision sent again.
    @Test(arguments: [
        (UInt64(1), "a", true, true), (1, "a", false, true), (2, "a", true, true), (2, "a", false, false),
        (1, "b", true, false),
    ])
    func anotherConflictIsNoNews(sequence: UInt64, digest: String, isQuiet: Bool, isReported: Bool) throws {
        var table = table([("a", 1, 5)])
        _ = table.takeDueConflicts(at: 5)
        let handle = try #require(table.handle(of: "a"))
        table.resume(handle, with: candidate("a", sequence: sequence, digest: digest, isQuiet: isQuiet))
        #expect(table.underWayCount == 1 && table.count(in: .proposable) == 1)
        #expect(table[handle].isConflictReported == isReported)
        table.forgetReport(of: handle)
        #expect(!table[handle].isConflictReported)
    }

    @Test func whatIsPostponedIsOpenAndAFirstAttemptAfterwards() throws {
        var table = PushTable()
        let handle = table.add(candidate("a", sequence: 1))
        _ = table.pop(.proposable)
        table.retry(handle)
        _ = table.pop(.proposable)
        table.postpone(handle)
        #expect(table.postponed == [handle] && table.underWayCount == 0 && table.openCount == 1)
        #expect(table[handle].candidate.wasPostponed && !table[handle].isUnderWay)
        table.resume(handle, with: table[handle].candidate)
        #expect(table.postponed.isEmpty && table.underWayCount == 1)
        #expect(table[handle].candidate.wasPostponed && !table[handle].isSecondAttempt)
    }

    // MARK: - In a session

    /// Each that is postponed is a gap in the checkpoint, so that there are never very many.
    @Test func whereManyArePostponedNoMoreIsRead() throws {
        let count = ActiveLimits.documentsInPush + 3 * SyncLimits.rowsPerBatch
        var client = ModelClient(collections: 1)
        for number in 0..<count { client.edit("d\(number)", in: 0) }
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client)
        let postponed = try gateway.answerProposals(status: 503)
        #expect(postponed >= ActiveLimits.documentsInPush)
        #expect(postponed < ActiveLimits.documentsInPush + SyncLimits.rowsPerBatch)
        try gateway.settle(until: gateway.peer.now + ActiveLimits.refusalRetry)
        let known = try gateway.answerProposals(status: 304)
        #expect(known == count, "they are proposed again, and then the others")
        #expect(gateway.peer.closing == nil)
    }
}

extension ScriptedGateway {
    /// - Returns: how many documents were proposed.
    fileprivate mutating func answerProposals(status: Int) throws -> Int {
        var count = 0
        while let proposal = sent(.proposeChanges).first(where: { !$0.isNoReply }) {
            let rows = try ProposeChanges(proposal).rows.map { _ in String(status) }
            count += rows.count
            try answer(.proposeChanges, [:], "[\(rows.joined(separator: ","))]")
        }
        return count
    }
}
