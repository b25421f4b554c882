/// A number in digits of ASCII: a sign, no zeros that mean nothing, a point.
struct PlainNumber: Sendable, Hashable {
    /// `-1250.5`
    let text: String
    let value: Double

    /// - Parameters:
    ///   - whole: digits before the point, perhaps none.
    ///   - fraction: digits behind it, perhaps none.
    init(isNegative: Bool, whole: some Sequence<UInt8>, fraction: some BidirectionalCollection<UInt8>) {
        let zero = UInt8(ascii: "0")
        let digits = String(decoding: Array(whole.drop { $0 == zero }), as: UTF8.self)
        let end = fraction.lastIndex { $0 != zero }
        let rest = end.map { String(decoding: Array(fraction[...$0]), as: UTF8.self) } ?? ""
        let amount = (digits.isEmpty ? "0" : digits) + (rest.isEmpty ? "" : ".\(rest)")
        text = isNegative && amount != "0" ? "-\(amount)" : amount
        value = Double(text) ?? 0
    }

    var isWhole: Bool { !text.utf8.contains(UInt8(ascii: ".")) }

    /// How many digits it has in front of its point.
    var wholeDigits: Int { text.utf8.prefix { $0 != UInt8(ascii: ".") }.filter { $0 != UInt8(ascii: "-") }.count }
}
