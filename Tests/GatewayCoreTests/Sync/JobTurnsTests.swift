import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// A client that sends requests faster than they can be answered has to wait, and with it all that it sends.
@Suite struct JobTurnsTests {
    private static let job = PassiveAction.closeFeed(JobID(1))

    @Test func someRunAndTheRestWaits() {
        var turns = JobTurns()
        let begun = (0..<GatewayLimits.jobsOfConnection + 2).map { _ in turns.begin(Self.job) }
        #expect(begun.filter { $0 }.count == GatewayLimits.jobsOfConnection && turns.waitingCount == 2)
        let next = [turns.end(), turns.end()].compactMap(\.self)
        #expect(next.count == 2 && turns.waitingCount == 0)
        #expect(turns.end() == nil)
        #expect(turns.begin(Self.job) == true, "one is done")
        #expect(turns.begin(Self.job) == false)
    }

    @Test func theBytesOfWhatWaitsAreHeldUntilNothingWaits() {
        var turns = JobTurns()
        for _ in 0..<GatewayLimits.jobsOfConnection { _ = turns.begin(Self.job) }
        #expect(turns.release(10, waitingBefore: 0) == 10)
        for _ in 0..<2 { _ = turns.begin(Self.job) }
        #expect(turns.release(100, waitingBefore: 0) == 0)
        #expect(turns.release(5, waitingBefore: 2) == 5, "an answer that brought no job")
        _ = turns.end()
        #expect(turns.release(0, waitingBefore: 2) == 0)
        _ = turns.end()
        #expect(turns.release(0, waitingBefore: 1) == 100)
        #expect(turns.release(0, waitingBefore: 0) == 0)
    }
}
