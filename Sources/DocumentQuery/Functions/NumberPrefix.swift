/// The number at the beginning of a text, as C's `strtod` reads it. The point does not depend on the locale of the process:
/// all processes have to find the same numbers in an index.
enum NumberPrefix {
    static func value(_ text: String) -> QueryValue {
        let trimmed = String(text.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" })
        var end = trimmed.endIndex
        while let last = trimmed[..<end].last, last == " " { end = trimmed.index(before: end) }
        let digits = trimmed[..<end]
        if let whole = Int64(digits) { return .integer(whole) }
        let value = real(trimmed)
        return value.isNaN ? .null : .real(value)
    }

    /// 0 where there is no number.
    private static func real(_ text: String) -> Double {
        var rest = text.utf8[...].drop { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard let value = word(rest) ?? hexadecimal(rest) ?? decimal(rest) else { return 0 }
        return isNegative ? -value : value
    }

    private static func word(_ rest: Substring.UTF8View) -> Double? {
        let letters = rest.prefix(3).map { $0 | 0x20 }
        if letters == Array("inf".utf8) { return .infinity }
        return letters == Array("nan".utf8) ? .nan : nil
    }

    private static func decimal(_ rest: Substring.UTF8View) -> Double? {
        number(rest, prefix: "0", exponent: UInt8(ascii: "e"), isDigit: isDecimal)
    }

    private static func hexadecimal(_ rest: Substring.UTF8View) -> Double? {
        guard rest.first == UInt8(ascii: "0"), let mark = rest.dropFirst().first, mark | 0x20 == UInt8(ascii: "x")
        else { return nil }
        return number(rest.dropFirst(2), prefix: "0x0", exponent: UInt8(ascii: "p")) {
            isDecimal($0) || $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "f")
        }
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Digits, perhaps with a point before, between or behind them, and with an exponent.
    private static func number(
        _ text: Substring.UTF8View, prefix: String, exponent: UInt8, isDigit: (UInt8) -> Bool
    ) -> Double? {
        let whole = text.prefix(while: isDigit)
        var (rest, decimals) = (text.dropFirst(whole.count), text.prefix(0))
        if rest.first == UInt8(ascii: ".") {
            decimals = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(decimals.count + 1)
        }
        guard !whole.isEmpty || !decimals.isEmpty else { return nil }
        var spelling = Array(prefix.utf8) + Array(whole)
        if !decimals.isEmpty { spelling += [UInt8(ascii: ".")] + Array(decimals) }
        spelling += [exponent] + Self.power(rest, exponent: exponent)
        return Double(String(decoding: spelling, as: UTF8.self))
    }

    /// The exponent at the beginning of a text, with its sign; 0 where there is none.
    private static func power(_ text: Substring.UTF8View, exponent: UInt8) -> [UInt8] {
        let none = [UInt8(ascii: "0")]
        guard let mark = text.first, mark | 0x20 == exponent else { return none }
        let signed = text.dropFirst()
        let hasSign = signed.first == UInt8(ascii: "-") || signed.first == UInt8(ascii: "+")
        let sign = signed.prefix(hasSign ? 1 : 0)
        let digits = signed.dropFirst(sign.count).prefix(while: isDecimal)
        return digits.isEmpty ? none : Array(sign) + Array(digits)
    }
}
