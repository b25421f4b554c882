/// A day of the calendar, without a time or a time zone: as an inspector writes it at the head of a form.
public struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    /// `nil` for a day that no calendar has.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `2026-03-04` or `20260304`.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        let isDashed = digits.count == 10
        guard isDashed || digits.count == 8 else { return nil }
        var values = (year: 0, month: 0, day: 0)
        for (index, byte) in digits.enumerated() {
            if isDashed, index == 4 || index == 7 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard (0x30...0x39).contains(byte) else { return nil }
            let value = Int(byte) - 0x30
            switch index {
            case 0..<4: values.year = values.year * 10 + value
            case 4..<(isDashed ? 7 : 6): values.month = values.month * 10 + value
            default: values.day = values.day * 10 + value
            }
        }
        self.init(year: values.year, month: values.month, day: values.day)
    }

    /// The day that begins so many days after 1970-01-01.
    public init(daysSince1970 days: Int) {
        // Counted from 0000-03-01, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    public var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    public func adding(days: Int) -> CalendarDay { CalendarDay(daysSince1970: daysSince1970 + days) }

    /// `2026-03-04`.
    public var description: String {
        var text: [UInt8] = []
        Self.append(year, width: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(month, width: 2, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(day, width: 2, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        default: 31
        }
    }

    static func append(_ number: Int, width: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
