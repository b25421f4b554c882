import Foundation

/// Times for people, in the local time zone. Times for programs are RFC 3339 in UTC.
package enum LocalTime {
    /// `2026-11-25 16:00:03` for an RFC 3339 time; any other text is returned unchanged.
    package static func text(_ time: String, in zone: TimeZone = .current) -> String {
        guard let date = try? Date(time, strategy: .iso8601) else { return time }
        return text(date, in: zone)
    }

    package static func text(_ date: Date, in zone: TimeZone = .current) -> String {
        var style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        style = style.dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return date.formatted(style)
    }
}
