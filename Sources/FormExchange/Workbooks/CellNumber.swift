import DocumentValues
import Foundation

/// Numbers of cells as texts: whole ones without a point, dates as `2026-03-04 00:00:00`.
enum CellNumber {
    static func text(_ number: Double) -> String {
        guard number.rounded() == number else { return "\(number)" }
        if abs(number) < 9e15 { return String(Int64(number)) }
        return number.isFinite ? String(format: "%.0f", number) : "\(number)"
    }

    /// The date and the time of a number of days. Days of before 1900-03-01 are counted one too many, since the first
    /// spreadsheets had a 29 February 1900.
    ///
    /// - Parameter begins1904: days are counted from 1904-01-01, as spreadsheets of old Macintosh computers do.
    static func date(_ number: Double, begins1904: Bool) -> String? {
        guard number >= 0, number < 2_958_466 else { return nil }
        var milliseconds = Int64((number * 86_400_000).rounded())
        let time = milliseconds % 86_400_000
        // A number below 1 is a time alone.
        if number < 1, !begins1904 { return timeText(time) }
        milliseconds -= time
        var days = milliseconds / 86_400_000
        if begins1904 { days += 1_462 } else if days < 60 { days += 1 }
        // 25569 is 1970-01-01.
        let (year, month, day) = civil(days - 25_569)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2)) \(timeText(time))"
    }

    private static func timeText(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let text =
            "\(padded(seconds / 3_600, to: 2)):\(padded(seconds / 60 % 60, to: 2)):\(padded(seconds % 60, to: 2))"
        let rest = milliseconds % 1_000
        return rest == 0 ? text : "\(text).\(padded(rest, to: 3))000"
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Year, month and day of a day counted from 1970-01-01, in the calendar's cycles of 400 years.
    private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
        // From 0000-03-01 on, so that the leap day ends a year.
        let shifted = day + 719_468
        let cycle = shifted / 146_097
        let dayOfCycle = shifted % 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfCycle + cycle * 400 + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
