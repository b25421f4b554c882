import DocumentValues
import FormLogic

/// Days as a person reads them.
struct DayText {
    private let names: CalendarNames

    init(_ language: Name?) { names = CalendarNames.of(language) }

    /// `Wed 4 March 2026`
    func whole(_ number: Int64) -> String { "\(names.shortDays[CalendarMath.weekday(of: number)]) \(date(number))" }

    /// `4 March 2026`
    func date(_ number: Int64) -> String { "\(dayMonth(number)) \(year(number))" }

    /// `4 March`
    func dayMonth(_ number: Int64) -> String {
        let day = CalendarMath.day(of: number)
        return "\(day.day)\(names.dayEnd) \(names.months[day.month - 1])"
    }

    /// `March 2026`
    func month(_ number: Int64) -> String {
        "\(names.months[CalendarMath.day(of: number).month - 1]) \(year(number))"
    }

    /// `2026`, of four digits.
    func year(_ number: Int64) -> String {
        let digits = String(CalendarMath.day(of: number).year)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    func weekday(_ number: Int64) -> String { names.days[CalendarMath.weekday(of: number)] }
}
