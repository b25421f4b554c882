import Foundation

/// Reads the texts of dates: `2026-03-01`; with a time, `2026-03-01T09:30` or `2026-03-01 09:30:15.25`; and that with a time
/// zone, `Z`, `+02:00`, `+0200` or `+02`. A time without a zone is one of UTC, as a day is, so that it is the same moment on
/// every laptop.
///
/// A text with anything behind the date is not a date: the rest would be lost when the date is written again.
struct DateText {
    private var rest: Substring.UTF8View

    private init(_ text: String) { rest = text[...].utf8 }

    /// `nil` for a text that is no date, such as one with a day that the month does not have.
    static func date(_ text: String) -> Date? {
        var reader = DateText(text)
        guard let day = reader.day(), let (seconds, fraction) = reader.moment(), reader.rest.isEmpty else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 + seconds) + fraction)
    }

    /// In days since 1970.
    private mutating func day() -> Int? {
        guard let year = number(digits: 4, in: 0...9999), skip("-"),
            let month = number(digits: 2, in: 1...12), skip("-"),
            let day = number(digits: 2, in: 1...Self.days(in: month, of: year))
        else { return nil }
        // Years begin in March here, so that the leap day is the last; the first one is four centuries earlier, so that none
        // is negative.
        let shifted = year + 400 - (month <= 2 ? 1 : 0)
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468 - 146_097
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The part behind a day: its seconds in UTC, and the fraction of one.
    private mutating func moment() -> (seconds: Int, fraction: Double)? {
        if rest.isEmpty { return (0, 0) }
        guard skip("T") || skip(" "), let seconds = time(), let fraction = fraction(), let zone = zone() else {
            return nil
        }
        return (seconds - zone, fraction)
    }

    /// The end of a day, 24:00, is one of its times; a leap second is the one before it.
    private mutating func time() -> Int? {
        guard let hour = number(digits: 2, in: 0...24), skip(":"), let minute = number(digits: 2, in: 0...59) else {
            return nil
        }
        var second = 0
        if skip(":") {
            guard let read = number(digits: 2, in: 0...60) else { return nil }
            second = min(read, 59)
        }
        let seconds = (hour * 60 + minute) * 60 + second
        return seconds <= 86_400 ? seconds : nil
    }

    private mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        guard var numerator = number(digits: 1, in: 0...9) else { return nil }
        var denominator = 10
        while let digit = digit() {
            // A date cannot hold more digits.
            guard denominator < 1_000_000_000 else { continue }
            numerator = numerator * 10 + digit
            denominator *= 10
        }
        return Double(numerator) / Double(denominator)
    }

    /// In seconds, to the east.
    private mutating func zone() -> Int? {
        if rest.isEmpty || skip("Z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(digits: 2, in: 0...23) else { return nil }
        var minutes = 0
        if !rest.isEmpty {
            _ = skip(":")
            guard let read = number(digits: 2, in: 0...59) else { return nil }
            minutes = read
        }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    // MARK: Characters

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return range.contains(number) ? number : nil
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, byte >= 0x30, byte <= 0x39 else { return nil }
        rest.removeFirst()
        return Int(byte) - 0x30
    }
}
