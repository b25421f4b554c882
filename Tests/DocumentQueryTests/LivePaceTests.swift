import Testing

@testable import DocumentStore

/// When a live query runs.
struct LivePaceTests {
    private static let interval = 0.25

    @Test func theFirstChangeAfterARestRunsAtOnce() {
        var pace = LivePace.resting(since: nil)
        #expect(pace.changed(at: 0, interval: Self.interval) == .run)
        #expect(pace.ran(at: 0.1, interval: Self.interval) == .nothing)
        #expect(pace.changed(at: 0.5, interval: Self.interval) == .run)
    }

    @Test func aStreamOfChangesRunsOnceInAnInterval() {
        var pace = LivePace.resting(since: nil)
        var runs: [Double] = []
        var due: Double?
        for step in 0..<1_000 {
            let now = Double(step) / 100
            var actions = [pace.changed(at: now, interval: Self.interval)]
            if let time = due, now >= time {
                due = nil
                actions.append(pace.timeCame())
            }
            for action in actions {
                switch action {
                case .nothing: break
                case .wait(let seconds): due = now + seconds
                case .run:
                    runs.append(now)
                    #expect(pace.ran(at: now, interval: Self.interval) == .nothing)
                }
            }
        }
        #expect(runs.count >= 38 && runs.count <= 41)
        for (one, next) in zip(runs, runs.dropFirst()) { #expect(next - one >= Self.interval - 0.001) }
    }

    @Test func changesOfARunNeedAnother() {
        var pace = LivePace.running(isStale: false)
        #expect(pace.changed(at: 1, interval: Self.interval) == .nothing)
        #expect(pace.ran(at: 2, interval: Self.interval) == .wait(Self.interval))
        #expect(pace.changed(at: 2, interval: Self.interval) == .nothing)
        #expect(pace.timeCame() == .run)
        #expect(pace.ran(at: 3, interval: Self.interval) == .nothing)
    }

    @Test func theEndIsTheEnd() {
        var pace = LivePace.ended
        #expect(pace.changed(at: 0, interval: Self.interval) == .nothing)
        #expect(pace.timeCame() == .nothing)
        #expect(pace.ran(at: 0, interval: Self.interval) == .nothing)
        #expect(pace == .ended)
    }
}
