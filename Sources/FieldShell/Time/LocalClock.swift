import FieldModels
import Foundation

/// Moments in the local time of the user. Records and the output for programs stay in UTC.
public struct LocalClock: Sendable {
    public let now: Timestamp
    public let zone: TimeZone

    public init(now: Timestamp, zone: TimeZone) {
        self.now = now
        self.zone = zone
    }

    /// `20:12 today`, otherwise `2026-03-04 20:12`.
    public func text(_ moment: Timestamp) -> String {
        let local = local(moment)
        return local.day == self.local(now).day ? "\(local.timeOfDay) today" : "\(local.day) \(local.timeOfDay)"
    }

    /// The day of a moment where the person is.
    public func day(of moment: Timestamp) -> CalendarDay { local(moment).day }

    /// The moment whose UTC reads as the clock on the wall does.
    private func local(_ moment: Timestamp) -> Timestamp {
        let date = Date(timeIntervalSince1970: Double(moment.secondsSince1970))
        return Timestamp(secondsSince1970: moment.secondsSince1970 + Int64(zone.secondsFromGMT(for: date)))
    }
}
