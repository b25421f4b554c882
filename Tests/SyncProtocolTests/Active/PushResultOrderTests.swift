import DocumentValues
import Testing

@testable import SyncProtocol

/// Two results show two revisions of a document: the later revision is pushed, in whatever order the results come.
@Suite struct PushResultOrderTests {
    /// The gateway has an ancestor of what was proposed, so the document is being compared. Since then there is another change,
    /// which is being read.
    private func compared(pulls: Bool = false) throws -> HeldPush {
        var push = try HeldPush(pulls: pulls)
        try push.read(push.reading(), "2-bb", sequence: 2)
        try push.answer(.proposeChanges, #"[{"status":409,"rev":"1-aa"}]"#)
        push.commit()
        return push
    }

    @Test func aChangeThatWasReadLaterIsPushedAlthoughItsResultCameFirst() throws {
        var push = try compared()
        let comparing = try push.loading()
        try push.read(push.reading(), "3-cc", sequence: 3)
        try push.load(comparing, "2-bb", sequence: 2, history: ["1-aa"])
        #expect(try push.proposed == ["2-bb over ", "3-cc over 1-aa"])
        #expect(push.completed?.through == 2, "the change is not done before the gateway has it")
        try push.answer(.proposeChanges, "[]")
        try push.load(push.loading(), "3-cc", sequence: 3, history: ["2-bb", "1-aa"])
        try push.answer(.rev)
        #expect(push.completed?.through == 3)
    }

    @Test func aRevisionThatWasReadLaterIsPushedInsteadOfTheChange() throws {
        var push = try compared()
        let comparing = try push.loading()
        try push.read(push.reading(), "3-cc", sequence: 3)
        try push.load(comparing, "4-dd", sequence: 4, history: ["3-cc", "2-bb", "1-aa"])
        #expect(try push.proposed == ["2-bb over ", "4-dd over 1-aa"])
        #expect(push.completed?.through == 3)
    }

    @Test func aChangeThatWasReadBeforeTheRevisionIsNotPushed() throws {
        var push = try compared()
        let reading = try push.reading()
        try push.load(push.loading(), "4-dd", sequence: 4, history: ["3-cc", "2-bb", "1-aa"])
        try push.read(reading, "3-cc", sequence: 3)
        try push.answer(.proposeChanges, "[]")
        try push.load(push.loading(), "4-dd", sequence: 4, history: ["3-cc", "2-bb", "1-aa"])
        try push.answer(.rev)
        #expect(try push.proposed == ["2-bb over ", "4-dd over 1-aa"])
        #expect(push.completed == SequenceRanges(through: 4))
    }

    /// Its edits are only on this side: each session reports it until it can be read.
    @Test func aChangeThatCannotBeReadStaysOpenAlone() throws {
        var push = try HeldPush()
        let damaged = UnreadableDocument(sequence: 2, documentID: "b", reason: "damaged")
        push.complete(try push.reading(), with: .changes([], unreadable: [damaged], through: 3, isCaughtUp: true))
        #expect(push.completed?.through == 1 && push.completed?.contains(3) == true)
        push.commit()
        try push.read(push.reading(), "1-aa", sequence: 4)
        #expect(try push.proposed.last == "1-aa over ")
    }

    @Test func aRevisionThatCannotBeReadFailsAlone() throws {
        var push = try HeldPush()
        try push.read(push.reading(), "1-aa", sequence: 1)
        try push.answer(.proposeChanges, "[]")
        let failure = SyncFailure(.liteCore, code: 15, message: "damaged")
        push.complete(try push.loading(), with: .revisions([nil], failures: [0: failure]))
        #expect(push.completed?.through == 1 && push.refusals == [failure])
    }

    /// The later revision is in conflict, and waits for the pull.
    @Test func aChangeThatWasReadBeforeDoesNotEndAConflict() throws {
        var push = try compared(pulls: true)
        let reading = try push.reading()
        try push.load(push.loading(), "4-dd", sequence: 4, history: ["3-cc", "2-bb", "1-aa"])
        try push.answer(.proposeChanges, #"[{"status":409,"rev":"4-ff"}]"#)
        try push.load(push.loading(), "4-dd", sequence: 4, history: ["3-cc", "2-bb", "1-aa"])
        try push.read(reading, "3-cc", sequence: 3)
        #expect(try push.proposed == ["2-bb over ", "4-dd over 1-aa"])
        #expect(push.completed?.through == 3, "the conflict is not settled")
    }
}
