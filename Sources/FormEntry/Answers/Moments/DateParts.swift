import DocumentValues

/// Which numbers of a typed date are its day, its month and its year.
struct DateParts {
    struct Pair {
        let day: Int
        let month: Int
        let order: DayOrder
    }

    /// One, or two where a number may be either; none where neither can be.
    let pairs: [Pair]
    let year: Int?

    private typealias Number = (value: Int, digits: Int)

    /// `nil` where the tokens are none of a date.
    init?(_ tokens: DateTokens, language: Name?, order: DayOrder?, years: YearChoice) {
        let (names, numbers) = (tokens.names, tokens.numbers)
        switch (names.count, numbers.count) {
        case (1, 1), (1, 2):
            guard let month = CalendarNames.month(names[0], language: language),
                let (day, year) = Self.dayAndYear(numbers)
            else { return nil }
            pairs = [Pair(day: day, month: month, order: .dayFirst)]
            guard let read = Self.read(year, years: years) else { return nil }
            self.year = read
        case (0, 3) where numbers[0].digits == 4:
            guard numbers[1].digits <= 2, numbers[2].digits <= 2 else { return nil }
            pairs = [Pair(day: numbers[2].value, month: numbers[1].value, order: .dayFirst)]
            year = numbers[0].value
        case (0, 3):
            guard numbers[0].digits <= 2, numbers[1].digits <= 2, let year = years.year(numbers[2]) else { return nil }
            pairs = Self.pairs(
                numbers[0].value, second: numbers[1].value, order: tokens.isDotted ? .dayFirst : order)
            self.year = year
        // Two bare numbers, `1 5`, are a slip rather than a day.
        case (0, 2) where !tokens.marks.isEmpty:
            guard numbers.allSatisfy({ $0.digits <= 2 }) else { return nil }
            pairs = Self.pairs(
                numbers[0].value, second: numbers[1].value, order: tokens.isDotted ? .dayFirst : order)
            year = nil
        case (0, 1) where numbers[0].digits == 8:
            let value = numbers[0].value
            pairs = [Pair(day: value % 100, month: value / 100 % 100, order: .dayFirst)]
            year = value / 10_000
        default: return nil
        }
    }

    /// The year is the number of four digits, or the last.
    private static func dayAndYear(_ numbers: [Number]) -> (day: Int, year: Number?)? {
        guard numbers.count == 2 else { return numbers[0].digits <= 2 ? (numbers[0].value, nil) : nil }
        let (day, year) = numbers[0].digits > 2 ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
        return day.digits <= 2 ? (day.value, year) : nil
    }

    /// `nil` for a number that is no year; a year of `nil` for none.
    private static func read(_ year: Number?, years: YearChoice) -> Int?? {
        guard let year else { return .some(nil) }
        return years.year(year).map { .some($0) }
    }

    /// - Parameter order: the one that is meant where both are possible; `nil`: unknown.
    private static func pairs(_ first: Int, second: Int, order: DayOrder?) -> [Pair] {
        let both = [
            Pair(day: first, month: second, order: .dayFirst), Pair(day: second, month: first, order: .monthFirst),
        ].filter { (1...12).contains($0.month) && (1...31).contains($0.day) }
        if both.count < 2 || first == second { return Array(both.prefix(1)) }
        return order.map { order in both.filter { $0.order == order } } ?? both
    }
}
