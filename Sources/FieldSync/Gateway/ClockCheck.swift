import FieldModels
import Foundation

/// Whether this laptop's clock is far from the gateway's. Dates of records come from the laptop's clock, and so do due
/// dates.
enum ClockCheck {
    /// By how much the laptop's clock is ahead, in seconds, negative if it is behind; `nil` if the two agree well
    /// enough, or if the gateway does not send its time.
    ///
    /// - Parameter date: the header `Date` of an answer of the gateway's, as HTTP writes it.
    static func secondsAhead(laptop: Timestamp, date: String?) -> Int64? {
        guard let date, let moment = moment(date) else { return nil }
        let difference = laptop.secondsSince1970 - Int64(moment.timeIntervalSince1970)
        return abs(difference) > ServiceLimits.clockDifference ? difference : nil
    }

    /// Whether the gateway has sent its time, and the laptop's clock agrees. Only then are records deleted by their age: by a
    /// clock that is ahead, all of them would be weeks old.
    static func isRight(laptop: Timestamp, date: String?) -> Bool {
        date.flatMap { moment($0) } != nil && secondsAhead(laptop: laptop, date: date) == nil
    }

    /// `Sun, 22 Nov 2026 05:19:36 GMT`
    private static func moment(_ date: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: date)
    }
}
