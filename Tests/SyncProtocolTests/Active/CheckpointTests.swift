import DocumentValues
import Testing

@testable import SyncProtocol

@Suite struct CheckpointTests {
    private func text(_ checkpoint: Checkpoint) -> String {
        String(decoding: checkpoint.json(at: 1_722_510_000_123), as: UTF8.self)
    }

    @Test func membersStandInTheRecordedOrder() {
        var checkpoint = Checkpoint(completed: SequenceRanges(through: 120), remote: "\"6:4\"")
        #expect(text(checkpoint) == #"{"time":1722510000,"local":120,"remote":"6:4"}"#)
        checkpoint.completed.insert(125..<127)
        checkpoint.completed.insert(130)
        checkpoint.remote = "57"
        #expect(
            text(checkpoint)
                == #"{"time":1722510000,"local":120,"localCompleted":[0,121,125,2,130,1],"remote":57}"#)
        #expect(text(Checkpoint()) == #"{"time":1722510000}"#)
    }

    @Test func isReadAsItWasWritten() throws {
        let checkpoint = Checkpoint(completed: SequenceRanges([0..<3, 5..<6]), remote: "\"100::123\"")
        #expect(Checkpoint(parsing: checkpoint.json(at: 1)) == checkpoint)
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

    private func start(_ own: Checkpoint, _ server: String?) throws -> CheckpointStart {
        own.reconciled(with: try server.map { try JSONObject(parsing: Array($0.utf8)) })
    }

    private static let agreed: [(own: String, server: String, remote: String?)] = [
        // The same on both sides.
        (#"{"local":5,"remote":9}"#, #"{"local":5,"remote":9}"#, "9"),
        // The gateway's is later: ours was not saved in time.
        (#"{"local":5,"remote":40}"#, #"{"local":9,"remote":60}"#, "40"),
        // Not comparable.
        (#"{"local":5,"remote":40}"#, #"{"local":5,"remote":"abc"}"#, nil),
    ]

    @Test(arguments: agreed) func whereTheGatewayIsNotBehindItGoesOn(
        own: String, server: String, remote: String?
    ) throws {
        let own = try #require(Checkpoint(parsing: Array(own.utf8)))
        #expect(try start(own, server) == .goingOn(Checkpoint(completed: own.completed, remote: remote)))
    }

    private static let behind: [(own: String, server: String?, known: UInt64)] = [
        (#"{"local":5,"remote":9}"#, nil, 0),
        (#"{"local":5,"remote":9}"#, "{}", 0),
        // A session that began and saved nothing more.
        ("{}", nil, 0),
        (#"{"local":50,"remote":9}"#, #"{"local":20,"remote":9}"#, 20),
        (#"{"localCompleted":[0,3,5,4]}"#, #"{"localCompleted":[0,7]}"#, 2),
        // Only pulled since.
        (#"{"local":5,"remote":60}"#, #"{"local":5,"remote":40}"#, 5),
        (#"{"local":5,"remote":60}"#, #"{"local":5}"#, 5),
        (#"{"remote":120}"#, #"{"remote":"120:7"}"#, 0),
        // Restored to the very moment of the last exchange, as far as the checkpoints say.
        (#"{"local":5,"remote":9}"#, #"{"local":5,"remote":9,"restored":true}"#, 5),
    ]

    @Test(arguments: behind) func aGatewayThatIsBehindHasLostSomething(
        own: String, server: String?, known: UInt64
    ) throws {
        for isReset in [false, true] {
            var own = try #require(Checkpoint(parsing: Array(own.utf8)))
            own.isReset = isReset
            let start = try start(own, server)
            #expect(start == .afterLoss(known: known))
            #expect(start.checkpoint == Checkpoint(completed: SequenceRanges(through: known)))
        }
    }

    @Test func aResetBeginsAgain() throws {
        var checkpoint = Checkpoint(completed: SequenceRanges(through: 50), remote: "9")
        checkpoint.isReset = true
        #expect(checkpoint.done == SequenceRanges())
        #expect(!String(decoding: checkpoint.json(at: 0), as: UTF8.self).contains("reset"))
        let kept = try #require(Checkpoint(parsing: checkpoint.localJSON(at: 0)))
        #expect(kept == checkpoint)
        for server in [#"{"local":50,"remote":9}"#, #"{"local":60,"remote":9}"#] {
            #expect(try start(kept, server) == .goingOn(Checkpoint()))
        }
    }
}
