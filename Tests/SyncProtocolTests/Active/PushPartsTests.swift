import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// What a push is made of beside its documents.
@Suite struct PushPartsTests {
    /// The session may go on for hours, until its pull has caught up.
    @Test func aPushThatHasEndedTriesNothingAgain() throws {
        var client = ModelClient(collections: 1)
        client.edit("refused", in: 0)
        var gateway = try ScriptedGateway.opened(isContinuous: true, client)
        try gateway.answer(.proposeChanges, [:], "[403]")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.wakeUp == gateway.peer.now + ActiveLimits.refusalRetry, "it is tried again")
        gateway.edit("other")
        try gateway.refuse(.proposeChanges, .http(500, message: "oops"))
        // A wake-up in the past would come again and again.
        for _ in 0..<5 where gateway.peer.wakeUp != nil {
            gateway.wake()
            try gateway.takeCheckpoints()
        }
        #expect(gateway.peer.wakeUp == nil && gateway.sent(.proposeChanges).isEmpty)
    }

    private func change(_ id: String, sequence: UInt64) -> LocalChange {
        LocalChange(
            sequence: sequence, documentID: id, revision: RevisionID(generation: 1, digest: "a"),
            remoteRevision: RevisionID(generation: 1, digest: "remote"))
    }

    // MARK: - Retries

    /// Access that is regained begins a retry of the refused documents only.
    @Test func aRetryOfRefusedDocumentsLeavesThePostponedOnes() throws {
        var retries = RefusalRetries(try .test(["field.sites"], isContinuous: true))
        retries.schedulePostponed(at: 10)
        retries.scheduleRefused(at: 5)
        #expect(retries.retryTime == 5 + ActiveLimits.refusalRetry)
        let begins = retries.begin()
        #expect(begins && retries.retryTime == 10 + ActiveLimits.refusalRetry)
        let early = retries.takePostponed(at: 9 + ActiveLimits.refusalRetry)
        let due = retries.takePostponed(at: 10 + ActiveLimits.refusalRetry)
        #expect(!early && due && retries.retryTime == nil)
    }

    // MARK: - The local feed

    @Test func aReadEndsAtWhatWasThere() throws {
        var sequences = LocalSequences(completed: SequenceRanges(through: 3), doubtful: 0)
        let next = sequences.nextRequest()
        let request = try #require(next)
        #expect(request.after == 3 && !request.includesKnown)
        let second = sequences.nextRequest()
        #expect(second == nil && sequences.isReading, "one read at a time")
        let fresh = sequences.read([change("a", sequence: 5)], through: 7, isCaughtUp: true)
        #expect(fresh.map(\.sequence) == [5])
        let third = sequences.nextRequest()
        #expect(sequences.isCaughtUp && third == nil)
        #expect(sequences.completed.through == 7, "what was read needs work only where it is said to")
        sequences.reopen(5)
        #expect(sequences.completed.through == 4)
        sequences.complete(5)
        #expect(sequences.completed.through == 7)
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func thereIsMoreToRead(isCommitted: Bool, isCaughtUp: Bool) throws {
        var sequences = LocalSequences(completed: SequenceRanges(), doubtful: 0)
        _ = sequences.nextRequest()
        if isCommitted { sequences.changesCommitted() }
        _ = sequences.read([], through: 2, isCaughtUp: isCaughtUp)
        #expect(sequences.isCaughtUp == (!isCommitted && isCaughtUp))
        let next = sequences.nextRequest()
        #expect(next?.after == (isCommitted || !isCaughtUp ? 2 : nil))
    }

    @Test func whatWasDoneBeforeTheSessionIsNotDoneAgain() {
        var sequences = LocalSequences(completed: SequenceRanges([0..<2, 3..<5]), doubtful: 0)
        _ = sequences.nextRequest()
        let changes = (2...6).map { change("d\($0)", sequence: $0) }
        let fresh = sequences.read(changes, through: 6, isCaughtUp: true)
        #expect(fresh.map(\.sequence) == [2, 5, 6])
    }

    /// What the gateway may have lost is proposed as if it had nothing.
    @Test func whatIsInDoubtHasNoRemoteRevision() throws {
        var sequences = LocalSequences(completed: SequenceRanges(), doubtful: 2)
        let first = sequences.nextRequest()
        #expect(try #require(first).includesKnown)
        let changes = (1...3).map { change("d\($0)", sequence: $0) }
        let fresh = sequences.read(changes, through: 3, isCaughtUp: true)
        #expect(fresh.map { $0.remoteRevision == nil } == [true, true, false])
        sequences.endDoubt()
        #expect(sequences.doubtful == 2)
        sequences.changesCommitted()
        let second = sequences.nextRequest()
        #expect(try #require(second).includesKnown == false)
    }
}
