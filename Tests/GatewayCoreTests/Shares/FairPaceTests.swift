import Foundation
import Synchronization
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct FairPaceTests {
    /// More long jobs than threads, in many turns: a later task is served before any of the jobs ends.
    @Test func othersAreServedDuringLongWork() async {
        let count = Count()
        let workers = ProcessInfo.processInfo.activeProcessorCount * 2
        await withDiscardingTaskGroup { group in
            for _ in 0..<workers {
                group.addTask {
                    count.begun.add(1, ordering: .relaxed)
                    var pace = FairPace()
                    for _ in 0..<60 {
                        let end = ContinuousClock.now + GatewayLimits.turn
                        while .now < end {}
                        await pace.giveWay()
                    }
                    count.ended.add(1, ordering: .relaxed)
                }
            }
            // This task waits for a thread like every other one.
            while count.begun.load(ordering: .relaxed) < workers { await Task.yield() }
            for _ in 0..<3 { await Task.yield() }
            #expect(count.ended.load(ordering: .relaxed) == 0)
        }
    }
}

/// How many tasks have begun and ended.
private final class Count: Sendable {
    let begun = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
}
