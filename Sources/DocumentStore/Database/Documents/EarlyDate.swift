import Foundation

/// Dates before 15 October 1582, for which Foundation takes the Julian calendar. The Gregorian one repeats itself every 400
/// years, so they are written as dates of 2,000 years later.
enum EarlyDate {
    /// The first day of 1583, the first year that is the same in both calendars.
    private static let start = Date(timeIntervalSince1970: -12_212_553_600)
    private static let years = 2_000
    /// Five times 146,097 days, in seconds.
    private static let shift: TimeInterval = 63_113_904_000

    /// - Parameter format: begins with the year, in four digits.
    static func text(of date: Date, format: (Date) -> String) -> String {
        guard date < start else { return format(date) }
        let text = format(date.addingTimeInterval(shift))
        return year(of: text).map { replacingYear(of: text, with: $0 - years) } ?? text
    }

    /// `nil` for a text that does not begin with a year of four digits and a hyphen.
    private static func year(of text: String) -> Int? {
        let bytes = text.utf8.prefix(5)
        guard bytes.count == 5, bytes.last == UInt8(ascii: "-") else { return nil }
        var year = 0
        for byte in bytes.dropLast() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            year = year * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return year
    }

    private static func replacingYear(of text: String, with year: Int) -> String {
        let digits = String(10_000 + year).utf8.dropFirst()
        return String(decoding: digits, as: UTF8.self) + String(decoding: text.utf8.dropFirst(4), as: UTF8.self)
    }
}
