import DocumentValues
import FormLogic

/// Reads a day.
struct DateReader {
    private let today: Int64
    private let language: Name?
    private let order: DayOrder?
    private let years: YearChoice

    init(_ question: AskedQuestion, context: AnswerContext) {
        today = context.today
        language = context.language
        order = context.dayOrder
        years = YearChoice(today: context.today, usual: question.usualDays)
    }

    /// - Returns: one day, or the two that the text may mean.
    /// - Throws: `AnswerRefusal` for another text, and for a day that no calendar has.
    func read(_ text: String) throws(AnswerRefusal) -> [TypedDay] {
        let folded = FoldedText.of(text.shortened(toBytes: EntryLimits.line))
        if let offset = RelativeName.days(folded) ?? RelativeName.signedNumber(PlainDigits.of(folded)) {
            guard CalendarMath.days.contains(today + offset) else { throw .yearOutside }
            return [typed(today + offset)]
        }
        guard let tokens = DateTokens(folded) else { throw .noDay(text) }
        if let days = try dates(tokens, text: text) { return days }
        guard case .name(let name)? = tokens.tokens.first,
            let weekday = CalendarNames.weekday(name, language: language)
        else { throw .noDay(text) }
        guard let rest = tokens.behindFirst else { return [typed(last(weekday))] }
        guard let days = try dates(rest, text: text) else { throw .noDay(text) }
        let fitting = days.filter { CalendarMath.weekday(of: $0.day) == weekday }
        guard !fitting.isEmpty else {
            let names = DayText(language)
            throw .otherWeekday(names.date(days[0].day), weekday: names.weekday(days[0].day))
        }
        return fitting
    }

    private func typed(_ day: Int64) -> TypedDay { TypedDay(day: day, text: DayText(language).date(day), order: nil) }

    /// The last day with that name, today included.
    private func last(_ weekday: Int) -> Int64 { today - Int64((CalendarMath.weekday(of: today) - weekday + 7) % 7) }

    /// `nil` where the parts are none of a date.
    private func dates(_ tokens: DateTokens, text: String) throws(AnswerRefusal) -> [TypedDay]? {
        guard let parts = DateParts(tokens, language: language, order: order, years: years) else { return nil }
        let names = DayText(language)
        var days: [TypedDay] = []
        for pair in parts.pairs {
            let day =
                parts.year.map { year in
                    CalendarMath.number(of: CalendarMath.Day(year: year, month: pair.month, day: pair.day))
                } ?? years.nearest(day: pair.day, month: pair.month)
            guard let day, CalendarMath.days.contains(day) else { continue }
            let shown = parts.year == nil ? names.dayMonth(day) : names.date(day)
            days.append(TypedDay(day: day, text: shown, order: parts.pairs.count == 2 ? pair.order : nil))
        }
        guard !days.isEmpty else { throw .noSuchDay(text) }
        return days
    }
}
