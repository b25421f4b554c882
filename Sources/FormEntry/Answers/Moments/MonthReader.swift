import DocumentValues
import FormLogic

/// Reads a month or a year; the answer is its first day.
struct MonthReader {
    private let today: Int64
    private let language: Name?
    private let years: YearChoice
    private let days: DateReader

    init(_ question: AskedQuestion, context: AnswerContext) {
        today = context.today
        language = context.language
        years = YearChoice(today: context.today, usual: question.usualDays)
        days = DateReader(question, context: context)
    }

    /// - Returns: one month, or the two in which the typed day may be.
    /// - Throws: `AnswerRefusal` for a text that is no month.
    func month(_ text: String) throws(AnswerRefusal) -> [TypedDay] {
        let folded = FoldedText.of(text.shortened(toBytes: EntryLimits.line))
        if let months = RelativeName.signedNumber(PlainDigits.of(folded)) {
            let now = CalendarMath.day(of: today)
            let index = now.year * 12 + now.month - 1 + Int(months)
            return [try first(year: index / 12, month: index % 12 + 1)]
        }
        if let tokens = DateTokens(folded), let (month, year) = parts(tokens) {
            return [try first(year: year, month: month)]
        }
        do throws(AnswerRefusal) {
            return try firsts(of: days.read(text)) { CalendarMath.Day(year: $0.year, month: $0.month, day: 1) }
        } catch {
            throw .noMonth(text)
        }
    }

    /// - Throws: `AnswerRefusal` for a text that is no year.
    func year(_ text: String) throws(AnswerRefusal) -> [TypedDay] {
        let folded = FoldedText.of(text.shortened(toBytes: EntryLimits.line))
        if let offset = RelativeName.signedNumber(PlainDigits.of(folded)) {
            return [try first(year: CalendarMath.day(of: today).year + Int(offset), month: 1)]
        }
        if let tokens = DateTokens(folded), tokens.tokens.count == 1, let number = tokens.numbers.first,
            let year = years.year(number)
        {
            return [try first(year: year, month: 1)]
        }
        do throws(AnswerRefusal) {
            return try firsts(of: month(text)) { CalendarMath.Day(year: $0.year, month: 1, day: 1) }
        } catch {
            throw .noYear(text)
        }
    }

    private func first(year: Int, month: Int) throws(AnswerRefusal) -> TypedDay {
        guard let day = CalendarMath.number(of: CalendarMath.Day(year: year, month: month, day: 1)),
            CalendarMath.days.contains(day)
        else { throw .yearOutside }
        return TypedDay(day: day, text: DayText(language).month(day), order: nil)
    }

    private func firsts(
        of days: [TypedDay], cut: (CalendarMath.Day) -> CalendarMath.Day
    ) throws(AnswerRefusal) -> [TypedDay] {
        var found: [TypedDay] = []
        for day in days {
            let cut = cut(CalendarMath.day(of: day.day))
            let first = try first(year: cut.year, month: cut.month)
            if !found.contains(where: { $0.day == first.day }) {
                found.append(TypedDay(day: first.day, text: first.text, order: day.order))
            }
        }
        return found.count == 1 ? [TypedDay(day: found[0].day, text: found[0].text, order: nil)] : found
    }

    private func parts(_ tokens: DateTokens) -> (month: Int, year: Int)? {
        let numbers = tokens.numbers
        switch (tokens.names.count, numbers.count) {
        case (0, 2) where numbers[0].digits == 4: return numericParts(numbers[1], year: numbers[0])
        case (0, 2): return numericParts(numbers[0], year: numbers[1])
        case (0, 1) where numbers[0].digits == 6: return (numbers[0].value % 100, numbers[0].value / 100)
        case (0, 1) where numbers[0].digits <= 2: return nearest(numbers[0].value)
        case (1, 0): return CalendarNames.month(tokens.names[0], language: language).flatMap { nearest($0) }
        case (1, 1):
            guard let month = CalendarNames.month(tokens.names[0], language: language),
                let year = years.year(numbers[0])
            else { return nil }
            return (month, year)
        default: return nil
        }
    }

    /// `3/2026`, `3/26`
    private func numericParts(
        _ month: (value: Int, digits: Int), year: (value: Int, digits: Int)
    ) -> (month: Int, year: Int)? {
        guard month.digits <= 2, (1...12).contains(month.value), let year = years.year(year) else { return nil }
        return (month.value, year)
    }

    private func nearest(_ month: Int) -> (month: Int, year: Int)? {
        years.nearest(day: 1, month: month).map { (month, CalendarMath.day(of: $0).year) }
    }
}
