import DocumentValues

/// The form in which spreadsheets save a text that looks like a number: a telephone number loses its `+`, a code its zeros in
/// front, and long ones all but some digits, as in `1.41536E+10`.
enum SpreadsheetNumber {
    /// Digits that a spreadsheet keeps.
    private static let precision = 15

    /// Whether the cell is a spreadsheet's form of the text.
    static func isForm(_ cell: String, of text: String) -> Bool {
        guard let digits = digits(of: text) else { return false }
        if let short = Shortened(cell) { return short.isForm(of: digits) }
        guard let plain = self.digits(of: cell), isPlain(cell) else { return false }
        return plain == digits || plain == rounded(digits, to: precision) || plain == cut(digits)
    }

    /// Whether digits are lost in it.
    static func isShortened(_ cell: String) -> Bool { Shortened(cell) != nil }

    /// `d.dddE+dd`
    private struct Shortened {
        private let mantissa: [UInt8]
        private let exponent: Int

        init?(_ cell: String) {
            guard
                let match = cell.wholeMatch(
                    of: /([0-9])(?:[.,]([0-9]+))?[eE]\+([0-9]{1,3})/.matchingSemantics(.unicodeScalar)),
                let exponent = Int(match.3)
            else { return nil }
            mantissa = Array(match.1.utf8) + Array((match.2 ?? "").utf8)
            self.exponent = exponent
        }

        func isForm(of digits: [UInt8]) -> Bool {
            guard digits.count == exponent + 1, mantissa.count <= digits.count else { return false }
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: digits.count - mantissa.count)
            return SpreadsheetNumber.rounded(digits, to: mantissa.count) == mantissa + zeros
        }
    }

    /// The digits of a whole number without sign and leading zeros; `nil` for another text.
    private static func digits(of text: String) -> [UInt8]? {
        let unsigned = text.utf8.first == UInt8(ascii: "+") ? text.utf8.dropFirst() : text.utf8[...]
        guard !unsigned.isEmpty, unsigned.allSatisfy(isDigit) else { return nil }
        let counting = Array(unsigned.drop { $0 == UInt8(ascii: "0") })
        return counting.isEmpty ? [UInt8(ascii: "0")] : counting
    }

    /// A spreadsheet writes neither a sign nor zeros in front.
    private static func isPlain(_ cell: String) -> Bool {
        guard let first = cell.utf8.first else { return false }
        return isDigit(first) && (first != UInt8(ascii: "0") || cell.utf8.count == 1)
    }

    /// Its first digits, the last of them rounded, and zeros.
    private static func rounded(_ digits: [UInt8], to count: Int) -> [UInt8] {
        guard digits.count > count else { return digits }
        var kept = Array(digits.prefix(count))
        if digits[count] >= UInt8(ascii: "5") {
            var index = count - 1
            while index >= 0, kept[index] == UInt8(ascii: "9") {
                kept[index] = UInt8(ascii: "0")
                index -= 1
            }
            guard index >= 0 else { return [] }
            kept[index] += 1
        }
        return kept + [UInt8](repeating: UInt8(ascii: "0"), count: digits.count - count)
    }

    /// Some spreadsheets cut the digits beyond their precision.
    private static func cut(_ digits: [UInt8]) -> [UInt8] {
        guard digits.count > precision else { return digits }
        return digits.prefix(precision) + [UInt8](repeating: UInt8(ascii: "0"), count: digits.count - precision)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
