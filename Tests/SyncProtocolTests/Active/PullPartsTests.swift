import DocumentValues
import Testing

@testable import SyncProtocol

/// What a pull is made of.
@Suite struct PullPartsTests {
    private func arrival(_ id: String, feedIndex: Int = 0, isDeleted: Bool = false, history: [String] = []) -> Arrival {
        Arrival(
            sequence: id, feedIndex: feedIndex, replyTo: nil,
            revision: PulledRevision(
                documentID: id, revision: RevisionID(generation: 3, digest: "c"),
                history: RevisionHistory(history.compactMap { RevisionID($0) }), isDeleted: isDeleted, body: .empty))
    }

    private func ids(_ handles: [ArrivalTable.Handle], in table: ArrivalTable) -> [String] {
        handles.map { table[$0].documentID }
    }

    @Test func arrivalsWaitInTheirOrder() {
        var table = ArrivalTable()
        for id in ["c", "a", "b"] { table.add(arrival(id), at: .ready) }
        let taken = table.pop(.ready) { $0.documentID == "a" }
        #expect(ids(taken, in: table) == ["a"])
        let first = table.pop(.ready, limit: 1)
        #expect(ids(first, in: table) == ["c"])
        let rest = table.pop(.ready)
        #expect(ids(rest, in: table) == ["b"])
        #expect(table.isEmpty(.ready) && table.count == 3)
        table.remove(taken[0])
        let fourth = table.add(arrival("d"), at: .unexamined)
        #expect(fourth == taken[0], "a handle is used again")
        #expect(table.count == 3 && !table.isEmpty(.unexamined))
    }

    @Test func announcementsWaitWhileManyRevisionsAreOutstanding() throws {
        var queue = AnnouncementQueue()
        // There is room for two like it.
        queue.note(bytes: ActiveLimits.requestedBytes / 2)
        for number: UInt32 in 1...3 {
            let lookups = ["x\(number)", "y\(number)"].map {
                AnnouncedRevision(
                    documentID: $0, revision: RevisionID(generation: 1, digest: "a"), isDeleted: false)
            }
            let rows = lookups.map { ChangeRow(sequence: $0.documentID, documentID: $0.documentID, revision: "1-a") }
            queue.append(Announcement(number: number, rows: rows, lookups: lookups))
        }
        let first = queue.popFirst()
        queue.lookUpBegan(try #require(first), as: JobID(7))
        let tooMany = queue.popFirst()
        #expect(tooMany == nil, "two rows may become requests")
        let lookedUp = queue.lookUpEnded(JobID(7))
        #expect(lookedUp?.number == 1)
        let request = AnnouncementQueue.Wanted(documentID: "x1", feedIndex: 4)
        for sequence in ["x1", "y1"] { queue.requested(request, sequence: sequence) }
        let stillTooMany = queue.popFirst()
        #expect(stillTooMany == nil)
        let answered = queue.answered(sequence: "x1")
        #expect(answered?.feedIndex == 4)
        let answeredTwice = queue.answered(sequence: "x1")
        #expect(answeredTwice == nil)
        let second = queue.popFirst()
        #expect(second?.number == 2)
        let third = queue.popFirst()
        #expect(third?.number == 3)
        #expect(!queue.isEmpty, "one is asked for")
        _ = queue.answered(sequence: "y1")
        let nothing = queue.lookUpEnded(JobID(7))
        #expect(queue.isEmpty && nothing == nil)
    }

    @Test func whatWasAnnouncedBeforeAccessWasLostIsVoid() {
        var access = AccessChanges()
        #expect(!access.hasLosses)
        access.lost("a", at: 5)
        #expect(access.isVoid(arrival("a", feedIndex: 4)) && !access.isVoid(arrival("a", feedIndex: 6)))
        #expect(!access.isVoid(arrival("b", feedIndex: 4)))
        access.forgetLosses()
        #expect(!access.isVoid(arrival("a", feedIndex: 4)))
    }

    @Test func accessComesBackOncePerChange() {
        var access = AccessChanges()
        access.noteBackfill("12")
        let before = access.takeRegained()
        #expect(!before)
        access.noteBackfill("120:7")
        let after = access.takeRegained()
        let again = access.takeRegained()
        #expect(after && !again)
        access.noteBackfill("120:8")
        let sameChange = access.takeRegained()
        #expect(!sameChange, "the same change")
        access.noteBackfill("130:8")
        let later = access.takeRegained()
        #expect(later)
    }

    @Test(arguments: [(history: ["2-accepted"], isSuperseded: false), ([], true)])
    func aDeletionOfSomethingOlderIsSuperseded(history: [String], isSuperseded: Bool) {
        var crossing = CrossingPushes(isPushing: true)
        let deletion = arrival("a", isDeleted: true, history: history)
        crossing.pushesAccepted([("a", RevisionID(generation: 2, digest: "accepted"))])
        #expect(!crossing.isSuperseded(deletion), "nothing of it was announced when it was accepted")
        crossing.noteAnnounced("a")
        crossing.pushesAccepted([("a", RevisionID(generation: 2, digest: "accepted"))])
        #expect(crossing.isSuperseded(deletion) == isSuperseded)
        #expect(!crossing.isSuperseded(arrival("a")), "it is no deletion")
        crossing.noteHandled("a")
        #expect(!crossing.isSuperseded(deletion))
    }

    /// The first of them says nothing about the second.
    @Test func aDocumentThatIsAnnouncedTwiceIsHandledTwice() {
        var crossing = CrossingPushes(isPushing: true)
        let deletion = arrival("a", isDeleted: true, history: [])
        let ours = [(documentID: "a", revision: RevisionID(generation: 2, digest: "accepted"))]
        for _ in 0..<2 { crossing.noteAnnounced("a") }
        crossing.noteHandled("a")
        crossing.pushesAccepted(ours)
        #expect(crossing.isSuperseded(deletion))
        crossing.noteHandled("a")
        #expect(!crossing.isSuperseded(deletion))
        crossing.pushesAccepted(ours)
        #expect(!crossing.isSuperseded(deletion), "none of it is announced any more")
    }

    @Test func aDeletionWaitsAsLongAsThePush() {
        var crossing = CrossingPushes(isPushing: true)
        crossing.deferDeletion(7, of: "a")
        var pushed = PushTable()
        let handle = pushed.add(
            PushCandidate(LocalChange(sequence: 1, documentID: "a", revision: RevisionID(generation: 1, digest: "a"))),
            at: .loading)
        let before = crossing.release(besides: pushed)
        #expect(before.isEmpty)
        _ = pushed.remove(handle)
        let after = crossing.release(besides: pushed)
        #expect(after == [7])
        let again = crossing.release(besides: pushed)
        #expect(again.isEmpty)
    }
}
