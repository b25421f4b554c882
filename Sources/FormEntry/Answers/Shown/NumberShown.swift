import DocumentValues
import FormLogic

/// Numbers as a person reads them.
enum NumberShown {
    /// `1250.5`; with groups `1 250.5`, which every reader of numbers takes for the same.
    static func of(_ number: Double, isGrouped: Bool) -> String {
        let text = FormNumberText.of(number)
        guard isGrouped, number.isFinite else { return text }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = String(Substring(text.utf8.dropFirst(isNegative ? 1 : 0))).split(atByte: ".")
        var digits: [UInt8] = []
        for (index, digit) in parts[0].utf8.enumerated() {
            if index > 0, (parts[0].utf8.count - index).isMultiple(of: 3) { digits.append(0x20) }
            digits.append(digit)
        }
        let fraction = parts.count > 1 ? ".\(parts[1])" : ""
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + fraction
    }

    /// `812 KB`
    static func ofBytes(_ count: Double) -> String {
        if count < 1000 { return "\(Decimals.text(count, decimals: 0)) B" }
        if count < 1_000_000 { return "\(Decimals.text(count / 1000, decimals: 0)) KB" }
        return "\(Decimals.text(count / 1_000_000, decimals: 1)) MB"
    }
}
