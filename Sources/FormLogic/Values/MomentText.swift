import DocumentValues

/// Reads and writes dates, times and both as ISO 8601 has them.
package enum MomentText {
    /// What a text says: a day, perhaps with a time, perhaps with an offset.
    package struct Parts: Sendable {
        /// Days since 1970.
        package var day: Int64
        /// Milliseconds since midnight.
        package var milliseconds: Int?
        /// Seconds ahead of UTC.
        package var offset: Int64?

        package init(day: Int64, milliseconds: Int? = nil, offset: Int64? = nil) {
            self.day = day
            self.milliseconds = milliseconds
            self.offset = offset
        }
    }

    package enum Failure: Error, Sendable, Hashable {
        case unreadable
        /// Before year 1 or after 9999.
        case outOfRange
    }

    /// Whether it has the shape of a date, so that it is worth reading.
    static func looksLikeDate(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 8 && bytes.count <= 40 && bytes.prefix(4).allSatisfy { (48...57).contains($0) }
            && bytes.dropFirst(4).first == UInt8(ascii: "-")
    }

    /// `2026-03-04`, also with single digits, perhaps with `T` and a time.
    ///
    /// - Throws: `Failure`.
    package static func parse(_ text: String) throws(Failure) -> Parts {
        guard looksLikeDate(text) else { throw .unreadable }
        var cursor = Cursor(Array(text.utf8))
        guard let year = cursor.number(digits: 4...4), cursor.take("-"), let month = cursor.number(digits: 1...2),
            cursor.take("-"), let day = cursor.number(digits: 1...2)
        else { throw .unreadable }
        guard let number = CalendarMath.number(of: CalendarMath.Day(year: year, month: month, day: day)) else {
            throw .unreadable
        }
        guard year > 0 else { throw .outOfRange }
        guard !cursor.isAtEnd else { return Parts(day: number) }
        guard cursor.take("T") || cursor.take(" "), let time = cursor.time(), cursor.isAtEnd else { throw .unreadable }
        return Parts(day: number, milliseconds: time.milliseconds, offset: time.offset)
    }

    /// `13:45`, `13:45:00.000+01:00`; `nil` for another text.
    package static func time(_ text: String) -> TimeOfDay? {
        clock(text).map { TimeOfDay(text: text, milliseconds: $0.milliseconds) }
    }

    /// Milliseconds since midnight, and seconds ahead of UTC where the text of a time has them.
    static func clock(_ text: String) -> (milliseconds: Int, offset: Int64?)? {
        guard text.utf8.count <= 40 else { return nil }
        var cursor = Cursor(Array(text.utf8))
        guard let time = cursor.time(), cursor.isAtEnd else { return nil }
        return time
    }

    /// `2026-03-04`.
    package static func date(_ number: Int64) -> String {
        let day = CalendarMath.day(of: number)
        return "\(padded(day.year, to: 4))-\(padded(day.month, to: 2))-\(padded(day.day, to: 2))"
    }

    /// `13:45:30.500+01:00`.
    ///
    /// - Parameter offset: seconds ahead of UTC.
    package static func time(milliseconds: Int, offset: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let clock =
            "\(padded(seconds / 3600, to: 2)):\(padded(seconds / 60 % 60, to: 2)):\(padded(seconds % 60, to: 2))"
        let minutes = Int(offset.magnitude / 60)
        let zone = "\(offset < 0 ? "-" : "+")\(padded(minutes / 60, to: 2)):\(padded(minutes % 60, to: 2))"
        return "\(clock).\(padded(rest, to: 3))\(zone)"
    }

    static func padded(_ number: Int, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private struct Cursor {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ mark: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
            position += 1
            return true
        }

        mutating func number(digits: ClosedRange<Int>) -> Int? {
            var (value, count) = (0, 0)
            while position < bytes.count, count < digits.upperBound, (48...57).contains(bytes[position]) {
                value = value * 10 + Int(bytes[position] - 48)
                position += 1
                count += 1
            }
            return count >= digits.lowerBound ? value : nil
        }

        mutating func time() -> (milliseconds: Int, offset: Int64?)? {
            guard let hour = number(digits: 1...2), hour < 24, take(":"), let minute = number(digits: 2...2),
                minute < 60
            else { return nil }
            var (second, fraction) = (0, 0)
            if take(":") {
                guard let seconds = number(digits: 2...2), seconds < 60 else { return nil }
                second = seconds
                if take(".") || take(",") {
                    guard let milliseconds = self.fraction() else { return nil }
                    fraction = milliseconds
                }
            }
            let milliseconds = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
            guard !isAtEnd else { return (milliseconds, nil) }
            guard let offset = offset() else { return nil }
            return (milliseconds, offset)
        }

        /// Further digits than those of milliseconds are passed over.
        private mutating func fraction() -> Int? {
            let start = position
            guard var value = number(digits: 1...3) else { return nil }
            for _ in (position - start)..<3 { value *= 10 }
            while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
            return value
        }

        private mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isBehind = take("-")
            guard isBehind || take("+"), let hours = number(digits: 2...2), hours <= 18 else { return nil }
            let hasColon = take(":")
            var minutes = 0
            if hasColon || !isAtEnd {
                guard let number = number(digits: 2...2), number < 60 else { return nil }
                minutes = number
            }
            let seconds = Int64(hours * 3600 + minutes * 60)
            return isBehind ? -seconds : seconds
        }
    }
}
