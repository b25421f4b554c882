import Testing

@testable import Replication

@Suite struct RunProgressTests {
    private func progress(_ completed: UInt64, _ total: UInt64) -> Replicator.Progress {
        Replicator.Progress(completed: completed, total: total)
    }

    @Test func aConnectionsNumbersAreTheRuns() {
        var run = RunProgress()
        #expect(run.progress == .zero)
        run.connection(completed: 3, total: 10, isCaughtUp: false)
        #expect(run.progress == progress(3, 10))
        run.connection(completed: 10, total: 10, isCaughtUp: true)
        run.connectionEnded(isFinished: true)
        #expect(run.progress == progress(10, 10))
    }

    /// 30 of 100 were done; the 70 are announced again, a batch at a time.
    @Test func neitherNumberFallsAfterALostConnection() {
        var run = RunProgress()
        run.connection(completed: 30, total: 100, isCaughtUp: false)
        run.connectionEnded(isFinished: false)
        #expect(run.progress == progress(30, 100))
        run.connection(completed: 0, total: 20, isCaughtUp: false)
        #expect(run.progress == progress(30, 100))
        run.connection(completed: 20, total: 70, isCaughtUp: false)
        #expect(run.progress == progress(50, 100))
        run.connection(completed: 70, total: 75, isCaughtUp: false)
        #expect(run.progress == progress(100, 105))
        run.connection(completed: 75, total: 75, isCaughtUp: true)
        #expect(run.progress == progress(105, 105))
    }

    /// The other side had stored what it could not acknowledge: it is not announced again.
    @Test func theTotalIsWhatWasDoneWhenNothingIsLeft() {
        var run = RunProgress()
        for _ in 0..<3 {
            run.connection(completed: 10, total: 100, isCaughtUp: false)
            run.connectionEnded(isFinished: false)
        }
        #expect(run.progress == progress(30, 110 + 10))
        run.connection(completed: 5, total: 5, isCaughtUp: false)
        var continuous = run
        continuous.connection(completed: 5, total: 5, isCaughtUp: true)
        #expect(continuous.progress == progress(35, 35))
        run.connectionEnded(isFinished: true)
        #expect(run.progress == progress(35, 35))
    }
}
