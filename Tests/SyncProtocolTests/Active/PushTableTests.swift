import DocumentValues
import Testing

@testable import SyncProtocol

@Suite struct PushTableTests {
    private func candidate(
        _ id: String, sequence: UInt64 = 1, digest: String = "a", remote: String? = nil, size: Int = 10
    ) -> PushCandidate {
        PushCandidate(
            LocalChange(
                sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: digest),
                remoteRevision: remote.flatMap { RevisionID($0) }, bodySize: size))
    }

    private func sent(bytes: Int) -> PushedDocument.Stage {
        .inFlight(
            PushedDocument.SentRevision(revision: RevisionID(generation: 1, digest: "a"), bytes: bytes, isDelta: false))
    }

    private func ids(_ handles: [PushTable.Handle], in table: PushTable) -> [String] {
        handles.map { table[$0].candidate.documentID }
    }

    @Test func whatWaitsComesInItsOrder() {
        var table = PushTable()
        for id in ["c", "a", "b"] { table.add(candidate(id)) }
        #expect(table.underWayCount == 3 && table.count(in: .proposable) == 3)
        let first = table.pop(.proposable, limit: 2)
        #expect(ids(first, in: table) == ["c", "a"])
        for handle in first.reversed() { table.move(handle, to: .approved) }
        let approved = table.pop(.approved)
        #expect(ids(approved, in: table) == ["a", "c"])
        let rest = table.pop(.proposable)
        #expect(ids(rest, in: table) == ["b"])
        #expect(table.underWayCount == 3, "who has had his turn is still there")
    }

    /// Counts follow from the stages, whichever way a document takes.
    @Test func whatIsUnderWayIsCounted() throws {
        var table = PushTable()
        let new = table.add(candidate("new"))
        let known = table.add(candidate("known", remote: "1-b"))
        _ = table.pop(.proposable)
        for handle in [new, known] { table.move(handle, to: .loading) }
        #expect(table.firstRevisionsUnderWay == 1 && table.readCount == 2)
        #expect(table.isFirstRevisionUnderWay(of: "new") && !table.isFirstRevisionUnderWay(of: "known"))
        #expect(!table.isFirstRevisionUnderWay(of: "other"))
        table.move(new, to: sent(bytes: 5))
        table.move(known, to: sent(bytes: 7))
        #expect(table.bytesInFlight == 12 && table.firstRevisionsUnderWay == 1)
        #expect(table.readCount == 0 && table.sentCount == 2)
        let refusal = PushedDocument.Refusal(failure: .http(403, message: "no"), acceptances: 0)
        table.move(new, to: .refused(refusal))
        #expect(table.bytesInFlight == 7 && table.firstRevisionsUnderWay == 0)
        table.sendWhole(known)
        #expect(table.bytesInFlight == 0)
        #expect(table[known].candidate.isSentWhole)
        let approved = table.pop(.approved)
        #expect(approved == [known])
        table.remove(known)
        let refused = table.pop(.refused)
        #expect(refused == [new])
        table.retry(new)
        #expect(table[new].isSecondAttempt && table.count(in: .proposable) == 1)
        let retried = table.pop(.proposable)
        #expect(retried == [new])
        table.remove(new)
        #expect(table.openCount == 0)
    }

    @Test func whatIsSentWholeGoesBeforeTheOthers() {
        var table = PushTable()
        let first = table.add(candidate("first"), at: sent(bytes: 1))
        table.add(candidate("second"), at: .approved)
        table.sendWhole(first)
        let approved = table.pop(.approved)
        #expect(ids(approved, in: table) == ["first", "second"])
    }

    @Test func aHandleIsUsedAgainForAnotherDocument() {
        var table = PushTable()
        let first = table.add(candidate("first"), at: .proposed)
        table.remove(first)
        #expect(table.handle(of: "first") == nil)
        let second = table.add(candidate("second"), at: .proposed)
        #expect(second == first && table.handle(of: "second") == second && table.handle(of: "first") == nil)
    }

    /// Two ids that look alike are two documents.
    @Test func idsAreBytes() {
        var table = PushTable()
        table.add(candidate("caf\u{E9}"))
        #expect(table.handle(of: "cafe\u{301}") == nil)
        table.add(candidate("cafe\u{301}"))
        #expect(table.underWayCount == 2)
    }

    @Test(arguments: [true, false]) func anotherRevisionIsAFirstAttempt(isSame: Bool) {
        var table = PushTable()
        let handle = table.add(candidate("a"))
        _ = table.pop(.proposable)
        table.retry(handle)
        _ = table.pop(.proposable)
        let newer = candidate("a", sequence: 2, digest: isSame ? "a" : "b")
        _ = table.setNewer(newer, of: handle)
        table.replace(handle, by: newer)
        #expect(table[handle].candidate == newer && table[handle].newer == nil)
        #expect(table[handle].isSecondAttempt == isSame)
        let proposable = table.pop(.proposable)
        #expect(proposable == [handle])
    }
}
