/// A moment as its text has it: the local clock, with the offset from UTC if the text has one.
struct QueryDate {
    /// Milliseconds of the clock, as if it were that of UTC.
    var clock: Int64
    /// Minutes.
    var offset: Int64?

    /// `nil` for a text that is no date.
    init?(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2), month >= 1, month <= 12, day >= 1, day <= Calendar.days(month, year: year)
        else { return nil }
        var milliseconds: Int64 = 0
        if reader.isNextTime {
            reader.position += 1
            guard let time = reader.time() else { return nil }
            milliseconds = time
            switch reader.zone() {
            case .none: break
            case .minutes(let minutes): offset = minutes
            case .bad: return nil
            }
        }
        while reader.take(" ") {}
        guard reader.isAtEnd else { return nil }
        clock = Calendar.days(sinceEpoch: year, month: month, day: day) * Calendar.day + milliseconds
    }

    /// Milliseconds since 1970; without an offset by the local clock.
    func milliseconds(_ zone: any LocalZone) -> Int64 {
        if let offset { return clock - offset * 60_000 }
        return clock - zone.offset(at: Calendar.floor(clock, by: 1000), isLocalClock: true) * 1000
    }

    private struct Reader {
        enum Zone { case none, bad, minutes(Int64) }

        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ mark: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
            position += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int64? {
            guard position + count <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[position..<position + count] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            position += count
            return value
        }

        /// A `T`, or a space with a digit behind it.
        var isNextTime: Bool {
            guard position + 1 < bytes.count else { return false }
            if bytes[position] == UInt8(ascii: "T") { return true }
            return bytes[position] == 0x20 && bytes[position + 1] >= 0x30 && bytes[position + 1] <= 0x39
        }

        mutating func time() -> Int64? {
            guard let hour = digits(2), take(":"), let minute = digits(2), hour <= 24, minute < 60 else { return nil }
            var second: Int64 = 0
            var fraction: Int64 = 0
            if take(":") {
                guard let seconds = digits(2), seconds < 60 else { return nil }
                second = seconds
                if take(".") {
                    var scale: Int64 = 100
                    let start = position
                    while let digit = digits(1) {
                        fraction += digit * scale
                        scale /= 10
                    }
                    guard position > start else { return nil }
                }
            }
            guard hour < 24 || minute == 0 && second == 0 && fraction == 0 else { return nil }
            return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
        }

        mutating func zone() -> Zone {
            if take("Z") { return .minutes(0) }
            let isNegative = take("-")
            guard isNegative || take("+") else { return .none }
            guard let hours = digits(2) else { return .bad }
            _ = take(":")
            guard let minutes = digits(2) else { return .bad }
            let offset = hours * 60 + minutes
            return .minutes(isNegative ? -offset : offset)
        }
    }
}

/// The Gregorian calendar, also for the time before it.
enum Calendar {
    static let day: Int64 = 86_400_000

    static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    static func days(_ month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The month may be any number.
    static func days(sinceEpoch year: Int64, month: Int64, day: Int64) -> Int64 {
        let months = year * 12 + month - 1
        let year = floor(months, by: 12)
        let month = months - year * 12 + 1
        // Years begin in March here, so that the leap day is the last.
        let shifted = month <= 2 ? year - 1 : year
        let era = floor(shifted, by: 400)
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    struct Fields {
        var year, month, day: Int64
        /// Milliseconds of the day.
        var time: Int64
    }

    static func fields(_ clock: Int64) -> Fields {
        let days = floor(clock, by: day)
        let shifted = days + 719_468
        let era = floor(shifted, by: 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return Fields(
            year: year + era * 400 + (month <= 2 ? 1 : 0), month: month, day: ofYear - (153 * shiftedMonth + 2) / 5 + 1,
            time: clock - days * day)
    }
}

/// The format of a moment, by an example.
enum DateFormat: Sendable {
    case full, withoutZone, date, spaced, time

    init(_ example: String?) {
        switch example {
        case "1111-11-11T00:00:00", "1111-11-11T00:00:00.000": self = .withoutZone
        case "1111-11-11": self = .date
        case "1111-11-11 00:00:00", "1111-11-11 00:00:00.000": self = .spaced
        case "00:00:00", "00:00:00.000": self = .time
        default: self = .full
        }
    }

    /// - Parameters:
    ///   - clock: milliseconds of the clock there.
    ///   - offset: minutes.
    func text(_ clock: Int64, offset: Int64) -> String {
        let fields = Calendar.fields(clock)
        let date = "\(padded(fields.year, width: 4))-\(padded(fields.month, width: 2))-\(padded(fields.day, width: 2))"
        let time = timeText(fields.time)
        switch self {
        case .date: return date
        case .time: return time
        case .spaced: return "\(date) \(time)"
        case .withoutZone: return "\(date)T\(time)"
        case .full:
            guard offset != 0 else { return "\(date)T\(time)Z" }
            let size = abs(offset)
            let sign = offset < 0 ? "-" : "+"
            return "\(date)T\(time)\(sign)\(padded(size / 60, width: 2))\(padded(size % 60, width: 2))"
        }
    }

    private func timeText(_ time: Int64) -> String {
        let seconds = time / 1000
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let text = parts.map { padded($0, width: 2) }.joined(separator: ":")
        return time % 1000 == 0 ? text : "\(text).\(padded(time % 1000, width: 3))"
    }

    private func padded(_ value: Int64, width: Int) -> String {
        let digits = "\(value.magnitude)"
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return "\(value < 0 ? "-" : "")\(zeros)\(digits)"
    }
}
