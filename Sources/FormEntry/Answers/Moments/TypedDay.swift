import FormLogic

/// A day that a typed date may mean.
struct TypedDay: Sendable, Hashable {
    /// Since 1970.
    let day: Int64
    /// How it is named where it is one of two: `12 March`.
    let text: String
    /// What its choice says about further dates; `nil` where there was no choice.
    let order: DayOrder?
}

/// Years, as far as a date leaves them open.
struct YearChoice: Sendable {
    /// Days since 1970.
    let today: Int64
    let usual: AskedQuestion.UsualDays

    private var year: Int { CalendarMath.day(of: today).year }

    /// A year as it was typed; two digits are within 50 years before and 49 after. `nil` for another count of digits.
    func year(_ number: (value: Int, digits: Int)) -> Int? {
        switch number.digits {
        case 4: return number.value
        case 2:
            let first = year - 50
            let century = first - first % 100 + number.value
            return century < first ? century + 100 : century
        default: return nil
        }
    }

    /// The nearest such day, of two equally near ones the earlier. A leap day may be eight years away.
    func nearest(day: Int, month: Int) -> Int64? {
        let days = (year - 8...year + 8).compactMap {
            CalendarMath.number(of: CalendarMath.Day(year: $0, month: month, day: day))
        }
        switch usual {
        case .nearest: return days.min { abs($0 - today) < abs($1 - today) }
        case .notAfterToday: return days.last { $0 <= today }
        }
    }
}
