import DocumentValues

extension QueryFunctions {
    static let dates: [String: Function] = [
        "str_to_millis": strToMillis,
        "str_to_utc": strToUtc,
        "str_to_tz": strToTz,
        "millis_to_str": millisToStr,
        "millis_to_utc": millisToUtc,
        "millis_to_tz": millisToTz,
        "date_add_str": dateAddStr,
        "date_add_millis": dateAddMillis,
        "date_diff_str": dateDiffStr,
        "date_diff_millis": dateDiffMillis,
    ]

    private static let strToMillis: Function = { arguments, context in
        guard !arguments[0].isMissing else { return .missing }
        return date(arguments[0]).map { .integer($0.milliseconds(context.zone)) } ?? .null
    }

    private static let strToUtc: Function = { arguments, context in
        guard !arguments[0].isMissing else { return .missing }
        guard let date = date(arguments[0]) else { return .null }
        return .text(format(arguments, index: 1).text(date.milliseconds(context.zone), offset: 0))
    }

    private static let strToTz: Function = { arguments, context in
        guard let date = date(arguments[0]), let minutes = minutes(arguments[1]) else { return .null }
        return .text(
            format(arguments, index: 2).text(date.milliseconds(context.zone) + minutes * 60_000, offset: minutes))
    }

    private static let millisToStr: Function = { arguments, context in
        guard let time = milliseconds(arguments[0]) else { return .null }
        let offset = context.zone.offset(at: Calendar.floor(time, by: 1000), isLocalClock: false) / 60
        return .text(format(arguments, index: 1).text(time + offset * 60_000, offset: offset))
    }

    private static let millisToUtc: Function = { arguments, _ in
        guard let time = milliseconds(arguments[0]) else { return .null }
        return .text(format(arguments, index: 1).text(time, offset: 0))
    }

    private static let millisToTz: Function = { arguments, _ in
        guard let time = milliseconds(arguments[0]), let minutes = minutes(arguments[1]) else { return .null }
        return .text(format(arguments, index: 2).text(time + minutes * 60_000, offset: minutes))
    }

    private static let dateAddStr: Function = { arguments, _ in
        guard let date = date(arguments[0]), let count = arguments[1].realNumber,
            let part = arguments[2].datePart,
            let moved = part.add(count, to: date.clock)
        else { return .missing }
        return .text(format(arguments, index: 3).text(moved, offset: date.offset ?? 0))
    }

    private static let dateAddMillis: Function = { arguments, _ in
        guard let time = milliseconds(arguments[0]), let count = arguments[1].realNumber,
            let part = arguments[2].datePart, let moved = part.add(count, to: time)
        else { return .missing }
        return .integer(moved)
    }

    private static let dateDiffStr: Function = { arguments, _ in
        guard let left = date(arguments[0]), let right = date(arguments[1]),
            let part = arguments[2].datePart
        else { return .missing }
        return .integer(part.difference(left.clock, right: right.clock))
    }

    private static let dateDiffMillis: Function = { arguments, _ in
        guard let left = milliseconds(arguments[0]), let right = milliseconds(arguments[1]),
            let part = arguments[2].datePart
        else { return .missing }
        return .integer(part.difference(left, right: right))
    }

    private static func date(_ value: QueryValue) -> QueryDate? { value.string.flatMap { QueryDate($0) } }

    private static func format(_ arguments: [QueryValue], index: Int) -> DateFormat {
        DateFormat(arguments.count > index ? arguments[index].string : nil)
    }

    /// The milliseconds of a value, within the range of the calendar: some 100,000 years.
    private static func milliseconds(_ value: QueryValue) -> Int64? {
        guard let number = value.number, number.magnitude < 3e15 else { return nil }
        return Int64(number)
    }

    private static func minutes(_ value: QueryValue) -> Int64? {
        guard let number = value.realNumber, number.magnitude < 1e9 else { return nil }
        return Int64(number)
    }
}

extension QueryValue {
    /// Of numbers alone.
    fileprivate var datePart: DatePart? { string.flatMap { DatePart($0) } }

    fileprivate var realNumber: Double? { if case .boolean = self { nil } else { number } }
}

/// A field of the calendar.
enum DatePart: String {
    case millennium, century, decade, year, quarter, month, week, day, hour, minute, second, millisecond

    init?(_ text: String) { self.init(rawValue: text.lowercased()) }

    private var months: Int64? {
        switch self {
        case .millennium: 12_000
        case .century: 1_200
        case .decade: 120
        case .year: 12
        case .quarter: 3
        case .month: 1
        case .week, .day, .hour, .minute, .second, .millisecond: nil
        }
    }

    private var milliseconds: Int64 {
        switch self {
        case .week: 7 * Calendar.day
        case .day: Calendar.day
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1_000
        case .millennium, .century, .decade, .year, .quarter, .month, .millisecond: 1
        }
    }

    /// `nil` outside of the range of the calendar.
    func add(_ count: Double, to clock: Int64) -> Int64? {
        guard count.magnitude < 3e15 else { return nil }
        let count = Int64(count)
        guard let months else {
            let (delta, overflow) = count.multipliedReportingOverflow(by: milliseconds)
            guard !overflow, delta.magnitude < 3_000_000_000_000_000 else { return nil }
            return clock + delta
        }
        guard count.magnitude < 1_200_000 / UInt64(months) else { return nil }
        let fields = Calendar.fields(clock)
        let days = Calendar.days(sinceEpoch: fields.year, month: fields.month + count * months, day: 1) + fields.day - 1
        return days * Calendar.day + fields.time
    }

    /// How many boundaries of the field are between the two.
    func difference(_ left: Int64, right: Int64) -> Int64 {
        let (a, b) = (Calendar.fields(left), Calendar.fields(right))
        let days = Calendar.floor(left, by: Calendar.day) - Calendar.floor(right, by: Calendar.day)
        switch self {
        case .millennium: return (a.year - b.year) / 1000
        case .century: return (a.year - b.year) / 100
        case .decade: return (a.year - b.year) / 10
        case .year: return a.year - b.year
        case .quarter: return (a.year - b.year) * 4 + (a.month - 1) / 3 - (b.month - 1) / 3
        case .month: return (a.year - b.year) * 12 + a.month - b.month
        case .week: return days / 7
        case .day: return days
        case .hour, .minute, .second, .millisecond:
            return Calendar.floor(left, by: milliseconds) - Calendar.floor(right, by: milliseconds)
        }
    }
}
