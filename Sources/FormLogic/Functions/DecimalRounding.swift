/// `round`, on the decimal digits of a double.
enum DecimalRounding {
    /// Half away from zero for positive numbers, toward zero for negative ones.
    ///
    /// - Parameter decimals: digits behind the point; a negative number rounds to tens, hundreds and so on.
    static func round(_ value: Double, decimals: Int) -> Double {
        guard value.isFinite else { return value }
        guard abs(decimals) <= FormLimits.decimals else { return .nan }
        guard decimals >= 0 else {
            let unit = power(-decimals)
            return (value / unit + 0.5).rounded(.towardZero) * unit
        }
        return Double(digits(of: value, decimals: decimals)) ?? value
    }

    private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

    /// The rounded number as a text.
    private static func digits(of value: Double, decimals: Int) -> String {
        let text = FormNumberText.of(abs(value))
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (value < 0 ? "-" : "") + text }
        var whole = Array(text.utf8[..<point])
        let fraction = Array(text.utf8[text.utf8.index(after: point)...])
        guard fraction.count > decimals else { return (value < 0 ? "-" : "") + text }
        whole += fraction[..<decimals]
        if roundsUp(fraction[decimals...], isNegative: value < 0) { increment(&whole) }
        let end = whole.count - decimals
        let result =
            String(decoding: whole[..<end], as: UTF8.self) + "." + String(decoding: whole[end...], as: UTF8.self)
        return (value < 0 ? "-" : "") + result + (decimals == 0 ? "0" : "")
    }

    private static func roundsUp(_ rest: ArraySlice<UInt8>, isNegative: Bool) -> Bool {
        guard let first = rest.first, first >= UInt8(ascii: "5") else { return false }
        return first > UInt8(ascii: "5") || !isNegative || rest.dropFirst().contains { $0 != UInt8(ascii: "0") }
    }

    private static func increment(_ digits: inout [UInt8]) {
        for index in digits.indices.reversed() {
            guard digits[index] == UInt8(ascii: "9") else {
                digits[index] += 1
                return
            }
            digits[index] = UInt8(ascii: "0")
        }
        digits.insert(UInt8(ascii: "1"), at: 0)
    }
}
