import FieldModels
import Foundation

/// Whether this laptop's clock is far from the gateway's. Records are dated by the laptop's, and so is what is due.
enum ClockCheck {
    /// By how much the laptop's clock is ahead, in seconds, or behind where it is negative; `nil` where the two agree
    /// well enough, or the gateway does not say what the time is.
    ///
    /// - Parameter date: the header `Date` of an answer of the gateway's, as HTTP writes it.
    static func secondsAhead(laptop: Timestamp, date: String?) -> Int64? {
        guard let date, let moment = moment(date) else { return nil }
        let difference = laptop.secondsSince1970 - Int64(moment.timeIntervalSince1970)
        return abs(difference) > ServiceLimits.clockDifference ? difference : nil
    }

    /// Whether the gateway has said what the time is, and the laptop's clock agrees: what is deleted by its age is deleted by
    /// such a clock alone. By one that is ahead, everything would be weeks old.
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
