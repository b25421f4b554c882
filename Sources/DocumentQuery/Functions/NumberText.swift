import DocumentValues

/// How numbers are spelled, so that numbers with a point keep it.
package enum NumberText {
    /// `1.0`, `1e+308`, with at most 17 digits, as C prints them; `nil` for numbers that JSON cannot spell.
    package static func text(_ value: Double) -> String {
        var text = "\(value)"
        // Swift writes 1e+308 and 1e-05 as C does, and 1e+16 where C does, too.
        if text.hasSuffix(".0"), text.contains("e") { text.removeLast(2) }
        return text
    }

    /// An infinity becomes a number of JSON that every reader takes for infinite.
    package static func json(_ value: Double) -> JSONNumber {
        let text = value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : Self.text(value)
        guard case .number(let number)? = try? JSONValue(parsing: text) else { return JSONNumber(value) }
        return number
    }

    /// Whether a number of JSON is whole: spelled without point and exponent.
    package static func isWhole(_ text: String) -> Bool {
        !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }
}
