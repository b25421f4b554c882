import Foundation
import Testing

@testable import Replication

@Suite struct SessionClockTests {
    /// Also if the computer's clock is set at the same time.
    @Test func itGoesOnSteadily() {
        let start = ContinuousClock.now
        let clock = SessionClock(date: Date(timeIntervalSince1970: 1_900_000_000), start: start)
        #expect(clock.time(at: start) == 1_900_000_000_000)
        #expect(clock.time(at: start + .milliseconds(1_500)) == 1_900_000_001_500)
        #expect(clock.time(at: start - .seconds(1)) == 1_900_000_000_000)
        let real = SessionClock()
        #expect(real.now <= real.now)
    }

    @Test func aTimeBefore1970IsTheBeginning() {
        let start = ContinuousClock.now
        #expect(SessionClock(date: Date(timeIntervalSince1970: -5), start: start).time(at: start) == 0)
    }
}
