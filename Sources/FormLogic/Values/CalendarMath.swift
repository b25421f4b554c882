/// Days of the Gregorian calendar, counted from 1970-01-01.
package enum CalendarMath {
    package static let millisecondsOfDay: Int64 = 86_400_000
    /// The days of the years from 1 to 9999.
    package static let days: ClosedRange<Int64> = -719_162...2_932_896

    package struct Day: Sendable, Hashable {
        package var year: Int
        package var month: Int
        package var day: Int

        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `nil` for a day that no calendar has.
    package static func number(of day: Day) -> Int64? {
        guard (1...12).contains(day.month), day.day >= 1, day.day <= days(inMonth: day.month, of: day.year) else {
            return nil
        }
        // Years begin in March here, so that a leap day is the last one.
        let year = Int64(day.month > 2 ? day.year : day.year - 1)
        let era = floorDivide(year, by: 400)
        let yearOfEra = year - era * 400
        let month = Int64(day.month > 2 ? day.month - 3 : day.month + 9)
        let dayOfYear = (153 * month + 2) / 5 + Int64(day.day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func day(of number: Int64) -> Day {
        let shifted = number + 719_468
        let era = floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return Day(year: Int(year), month: Int(month < 10 ? month + 3 : month - 9), day: Int(day))
    }

    /// From 0, Monday.
    package static func weekday(of number: Int64) -> Int {
        let rest = (number + 3) % 7
        return Int(rest < 0 ? rest + 7 : rest)
    }

    /// The week of ISO 8601, from 1.
    package static func week(of number: Int64) -> Int {
        // The Thursday of a week decides to which year it belongs.
        let thursday = number - Int64(weekday(of: number)) + 3
        let first = self.number(of: Day(year: day(of: thursday).year, month: 1, day: 1)) ?? thursday
        return Int((thursday - first) / 7) + 1
    }
}
