/// What an operator of arithmetic takes a value for.
enum RuleNumber {
    case integer(Int64)
    case double(Double)

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        }
    }

    /// Null, arrays and objects are 0, booleans 1 or 0, texts the number that they begin with; MISSING is none.
    init?(_ value: RuleValue) {
        switch value {
        case .missing: return nil
        case .null, .array, .object: self = .integer(0)
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .text(let text): self.init(beginningOf: text)
        }
    }

    /// White space, a sign, digits, a point, digits, an exponent, each if it is there; 0 without a digit. A point or an
    /// exponent makes it a double.
    init(beginningOf text: String) {
        var rest = Spelling(text)
        rest.skipSpace()
        var number = rest.takeSign()
        let whole = rest.takeDigits()
        number += whole
        var isDouble = false
        var fraction = ""
        if rest.take(".") {
            fraction = rest.takeDigits()
            isDouble = true
        }
        guard !(whole + fraction).isEmpty else {
            self = .integer(0)
            return
        }
        if whole.isEmpty { number += "0" }
        if !fraction.isEmpty { number += "." + fraction }
        if rest.take("e") || rest.take("E") {
            let sign = rest.takeSign()
            let digits = rest.takeDigits()
            if !digits.isEmpty {
                number += "e" + sign + digits
                isDouble = true
            }
        }
        if !isDouble, let integer = Int64(number) {
            self = .integer(integer)
        } else {
            self = .double(Double(number) ?? 0)
        }
    }

    /// What `%` takes a value for: a double without its fraction, a text's digits up to the point; the nearest of 64 bits.
    static func whole(_ value: RuleValue) -> Int64 {
        if case .text(let text) = value {
            var rest = Spelling(text)
            rest.skipSpace()
            let sign = rest.takeSign()
            let digits = rest.takeDigits()
            guard !digits.isEmpty else { return 0 }
            return Int64(sign + digits) ?? (sign == "-" ? .min : .max)
        }
        switch RuleNumber(value) {
        case .integer(let integer): return integer
        case .double(let double): return Int64(exactly: double.rounded(.towardZero)) ?? (double < 0 ? .min : .max)
        case nil: return 0
        }
    }
}

/// A text that is read from its beginning.
private struct Spelling {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipSpace() {
        while let first = rest.first, " \t\n\u{B}\u{C}\r".unicodeScalars.contains(first) { rest.removeFirst() }
    }

    mutating func takeSign() -> String { take("-") ? "-" : take("+") ? "+" : "" }

    mutating func takeDigits() -> String {
        var digits = ""
        while let first = rest.first, ("0"..."9").contains(first) {
            digits.unicodeScalars.append(first)
            rest.removeFirst()
        }
        return digits
    }
}
