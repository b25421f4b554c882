import Foundation

/// The time of one session: it begins as the computer's, which is written into checkpoints, and then goes on steadily.
///
/// A laptop's clock is often corrected when it comes online. If it is set back by hours, a session's later steps, such as
/// saving its checkpoint, must not wait for those hours.
struct SessionClock: Sendable {
    /// Milliseconds since 1970; 0 where the computer's clock is before that.
    private let date: UInt64
    private let start: ContinuousClock.Instant

    init(date: Date = Date(), start: ContinuousClock.Instant = .now) {
        self.date = UInt64(max(0, date.timeIntervalSince1970 * 1_000))
        self.start = start
    }

    /// Milliseconds since 1970.
    var now: UInt64 { time(at: .now) }

    func time(at instant: ContinuousClock.Instant) -> UInt64 {
        let passed = max(.zero, start.duration(to: instant))
        return date + UInt64(passed / Duration.milliseconds(1))
    }
}
