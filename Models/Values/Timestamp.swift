/// A moment in UTC to the second, spelled `2026-03-04T10:15:00Z`.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Reads `2026-03-04T10:15:00Z`; a fraction of a second is passed over. A leap second is the one before it: the next one
    /// could be of the year 10000, which has no spelling.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.count == 20 || bytes[19] == UInt8(ascii: "."),
            let day = CalendarDay(String(decoding: bytes[0..<10], as: UTF8.self)),
            let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]),
            let second = Self.number(bytes[17..<19]), hour < 24, minute < 60, second < 61
        else { return nil }
        self.init(secondsSince1970: Int64(day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + min(second, 59)))
    }

    public var day: CalendarDay { CalendarDay(daysSince1970: Int(Self.floor(secondsSince1970, by: 86_400))) }

    /// `10:15`.
    public var timeOfDay: String {
        let second = Int(secondsSince1970 - Self.floor(secondsSince1970, by: 86_400) * 86_400)
        var text: [UInt8] = []
        CalendarDay.append(second / 3_600, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        CalendarDay.append(second / 60 % 60, width: 2, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    public var description: String {
        let second = Int(secondsSince1970 - Self.floor(secondsSince1970, by: 60) * 60)
        var text: [UInt8] = [UInt8(ascii: ":")]
        CalendarDay.append(second, width: 2, to: &text)
        return "\(day)T\(timeOfDay)\(String(decoding: text, as: UTF8.self))Z"
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}
