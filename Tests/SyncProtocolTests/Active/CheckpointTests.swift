import DocumentValues
import Testing

@testable import SyncProtocol

@Suite struct CheckpointTests {
    private func text(_ checkpoint: Checkpoint) -> String {
        String(decoding: checkpoint.json(at: 1_722_510_000_123), as: UTF8.self)
    }

    @Test func membersAreInTheRecordedOrder() {
        var checkpoint = Checkpoint(completed: SequenceRanges(through: 120), remote: "\"6:4\"")
        #expect(text(checkpoint) == #"{"time":1722510000,"local":120,"remote":"6:4"}"#)
        checkpoint.completed.insert(125..<127)
        checkpoint.completed.insert(130)
        checkpoint.remote = "57"
        #expect(
            text(checkpoint)
                == #"{"time":1722510000,"local":120,"localCompleted":[0,121,125,2,130,1],"remote":57}"#)
        #expect(text(Checkpoint()) == #"{"time":1722510000}"#)
        checkpoint = Checkpoint(remote: "57")
        checkpoint.marks = ["b", "a"]
        #expect(text(checkpoint) == #"{"time":1722510000,"remote":57,"mark":"b"}"#)
    }

    @Test func isReadAsItWasWritten() throws {
        let checkpoint = Checkpoint(completed: SequenceRanges([0..<3, 5..<6]), remote: "\"100::123\"")
        #expect(Checkpoint(parsing: checkpoint.json(at: 1)) == checkpoint)
        var marked = checkpoint
        marked.marks = ["b", "a"]
        #expect(Checkpoint(parsing: marked.localJSON(at: 1)) == marked)
        #expect(try #require(Checkpoint(parsing: Array(#"{"local":4}"#.utf8))).completed.through == 4)
    }

    @Test(arguments: [
        "[]", "{", #"{"local":-1}"#, #"{"localCompleted":[1]}"#, #"{"localCompleted":"x"}"#, #"{"remote":null}"#,
    ])
    func whatMakesNoSenseCountsAsNothing(text: String) {
        #expect((Checkpoint(parsing: Array(text.utf8)) ?? Checkpoint()) == Checkpoint())
    }

    @Test func hugeNumbersDoNotOverflow() {
        let text = #"{"localCompleted":[0,18446744073709551615,5,18446744073709551615],"local":18446744073709551615}"#
        #expect(Checkpoint(parsing: Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        #"{"localCompleted":[0,18446744073709551615]}"#, #"{"localCompleted":[0,5,7,18446744073709551608]}"#,
        #"{"local":18446744073709551615}"#,
    ])
    func whatAHugeCheckpointSaysCanBeWrittenAndGoneOnFrom(text: String) throws {
        var checkpoint = try #require(Checkpoint(parsing: Array(text.utf8)))
        checkpoint.completed.insert(checkpoint.completed.through + 2)
        #expect(Checkpoint(parsing: checkpoint.json(at: 0)) != nil)
    }

    @Test(arguments: [
        // The gateway has nothing: from the beginning.
        (#"{"local":5,"remote":9}"#, "{}", 0, nil as String?, true),
        // The same on both sides.
        (#"{"local":5,"remote":9}"#, #"{"local":5,"remote":9}"#, 5, "9", false),
        // The gateway's is earlier, which only a backup is: what was pushed and never pulled may be gone, too.
        (#"{"local":5,"remote":60}"#, #"{"local":5,"remote":40}"#, 5, "40", true),
        (#"{"local":5,"remote":60}"#, #"{"local":5}"#, 5, nil, true),
        // The gateway's is later: the session ended before ours was written.
        (#"{"local":5,"remote":40}"#, #"{"local":9,"remote":60}"#, 5, "40", false),
        (#"{"local":5}"#, #"{"local":5,"remote":60}"#, 5, nil, false),
        (#"{"remote":"120:7"}"#, #"{"remote":120}"#, 0, #""120:7""#, false),
        // Not comparable.
        (#"{"local":5,"remote":40}"#, #"{"local":5,"remote":"abc"}"#, 5, nil, true),
        // Other sequences done: what both have.
        (#"{"localCompleted":[0,3,5,4]}"#, #"{"localCompleted":[0,7]}"#, 2, nil, true),
    ])
    func bothSidesAgreeOnTheEarlier(
        own: String, server: String, through: UInt64, remote: String?, isDoubtful: Bool
    ) throws {
        let own = try #require(Checkpoint(parsing: Array(own.utf8)))
        let result = own.reconciled(with: Checkpoint(parsing: Array(server.utf8)))
        #expect(result.completed.through == through)
        #expect(result.remote == remote)
        #expect((result.doubtful > 0) == isDoubtful)
    }

    /// The marks that are known here, that of the gateway's copy, and whether the two copies are of one folder.
    @Test(arguments: [
        (["b"], "b" as String?, true), (["c", "b"], "b", true), (["c", "b"], "c", true),
        (["b"], "a", false), (["c", "b"], "a", false),
        // Of versions that had no marks.
        ([] as [String], "a", true), (["b"], nil, true),
    ])
    func aCopyThatThisFolderHasNotWrittenIsNotBelieved(known: [String], mark: String?, isBelieved: Bool) {
        var own = Checkpoint(completed: SequenceRanges(through: 5), remote: "9")
        own.marks = known
        // It says more than what is known here, as after a session that was cut off.
        var server = Checkpoint(completed: SequenceRanges(through: 8), remote: "9")
        server.marks = mark.map { [$0] } ?? []
        let earlier = Checkpoint(completed: SequenceRanges(through: 5), remote: "9")
        let expected = isBelieved ? earlier : Checkpoint.compareEverything
        #expect(own.reconciled(with: server) == expected)
        own.isReset = true
        let afterReset = isBelieved ? Checkpoint() : Checkpoint.compareEverything
        #expect(own.reconciled(with: server) == afterReset)
    }

    @Test func doubtIsKeptHereUntilEverythingIsDone() throws {
        let server = Checkpoint(completed: SequenceRanges(through: 20))
        var checkpoint = Checkpoint(completed: SequenceRanges(through: 50)).reconciled(with: server)
        #expect(checkpoint.doubtful > 50 && checkpoint.completed.through == 20)
        // The next session finds both sides of one mind, and has to go on doubting.
        let kept = try #require(Checkpoint(parsing: checkpoint.localJSON(at: 0)))
        #expect(kept.reconciled(with: Checkpoint(parsing: checkpoint.json(at: 0))) == checkpoint)
        #expect(!String(decoding: checkpoint.json(at: 0), as: UTF8.self).contains("doubtful"))
        checkpoint = Checkpoint(completed: SequenceRanges(through: 50), doubtful: 50)
        #expect(checkpoint.doubtful == 0)
        #expect(kept.reconciled(with: nil) == .compareEverything)
    }

    /// What the gateway has of the checkpoint after a reset, and whether anything of what it had is in doubt.
    @Test(arguments: [
        (#"{"local":50,"remote":9}"#, false),
        (#"{"local":60,"remote":9}"#, false),
        // An older backup, and a database that was made again.
        (#"{"local":20,"remote":4}"#, true), (nil as String?, true),
    ])
    func aResetBeginsAgainAndBelievesWhatItMay(server: String?, isDoubtful: Bool) throws {
        var checkpoint = Checkpoint(completed: SequenceRanges(through: 50), remote: "9")
        checkpoint.isReset = true
        #expect(checkpoint.done == SequenceRanges())
        #expect(!String(decoding: checkpoint.json(at: 0), as: UTF8.self).contains("reset"))
        let kept = try #require(Checkpoint(parsing: checkpoint.localJSON(at: 0)))
        #expect(kept == checkpoint)
        let start = kept.reconciled(with: server.flatMap { Checkpoint(parsing: Array($0.utf8)) })
        #expect(start.completed == SequenceRanges() && start.remote == nil && !start.isReset)
        #expect((start.doubtful > 0) == isDoubtful)
    }
}
