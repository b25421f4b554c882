/// A number of JSON: `magnitude` × 10 to the power of `exponent`.
struct DecimalDigits<Magnitude: FixedWidthInteger & UnsignedInteger> {
    private(set) var isNegative = false
    private var magnitude: Magnitude = 0
    private var exponent = 0
    /// Whether `magnitude` has all digits that are not zero.
    private var isExact = true

    /// - Parameter text: by the grammar of RFC 8259.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        if text.first == UInt8(ascii: "-") {
            isNegative = true
            index = 1
        }
        var isFraction = false
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                break
            } else {
                append(byte &- 0x30, isFraction: isFraction)
            }
        }
        if index < text.count { addExponent(text, from: index) }
    }

    private mutating func append(_ digit: UInt8, isFraction: Bool) {
        let (shifted, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, isSumTooLarge) = shifted.addingReportingOverflow(Magnitude(truncatingIfNeeded: digit))
        if isTooLarge || isSumTooLarge || !isExact {
            if digit != 0 || !isExact { isExact = false }
            if !isFraction { exponent += 1 }
        } else {
            magnitude = sum
            if isFraction { exponent -= 1 }
        }
    }

    private mutating func addExponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
        let isBelow = text[start] == UInt8(ascii: "-")
        var value = 0
        for byte in text[(text[start] < 0x30 ? start + 1 : start)...] {
            // More than the digits of the longest text can compensate.
            value = min(value * 10 + Int(byte &- 0x30), 1 << 40)
        }
        exponent += isBelow ? -value : value
    }

    /// The magnitude of a whole number; `nil` where it is none, or too large.
    var whole: Magnitude? {
        guard isExact else { return nil }
        guard magnitude != 0 else { return 0 }
        var result = magnitude
        var rest = exponent
        while rest < 0 {
            guard result.isMultiple(of: 10) else { return nil }
            result /= 10
            rest += 1
        }
        while rest > 0 {
            let (product, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            result = product
            rest -= 1
        }
        return result
    }
}

extension DecimalDigits<UInt64> {
    /// `nil` also for `Int64.min`.
    var int64: Int64? {
        guard let whole, let value = Int64(exactly: whole) else { return nil }
        return isNegative ? -value : value
    }

    /// The nearest `Double`, if both parts are exact as `Double`, so that at most one operation rounds; otherwise
    /// `nil`.
    var double: Double? {
        guard isExact, magnitude <= 1 << 53, exponent.magnitude < Self.powers.count else { return nil }
        let power = Self.powers[Int(exponent.magnitude)]
        let value = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
        return isNegative ? -value : value
    }

    /// The powers of ten that a `Double` has exactly.
    private static var powers: [Double] { exactPowersOfTen }
}

private let exactPowersOfTen = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]
