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
}
