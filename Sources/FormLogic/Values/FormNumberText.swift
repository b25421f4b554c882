import DocumentValues

/// A number as a text: plain digits, never an exponent.
package enum FormNumberText {
    /// Numbers that differ by less are the same.
    package static let tolerance = 1e-12

    /// `NaN`, `Infinity` and `-Infinity`; a number within `tolerance` of a whole one as that; otherwise the shortest digits
    /// that read back as the same double.
    package static func of(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        let whole = value.rounded()
        if abs(value - whole) < tolerance {
            // Also of -0.
            return whole == 0 ? "0" : plain("\(whole)")
        }
        return plain("\(value)")
    }

    /// With `.0` behind a whole number, as in the parts of a point.
    package static func withFraction(_ value: Double) -> String {
        let text = of(value)
        return value.isFinite && !text.utf8.contains(UInt8(ascii: ".")) ? text + ".0" : text
    }

    /// Of a number of JSON, so that the same number always has the same spelling.
    package static func canonical(_ number: JSONNumber) -> String {
        if let whole = number.int64 { return String(whole) }
        let value = number.double
        return value.isFinite ? of(value) : number.text
    }

    /// - Parameter text: a double in Swift's spelling, as `1.5`, `1e+16`, `-2.5e-07`.
    private static func plain(_ text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "e"), maxSplits: 1)
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let mantissa = parts[0].drop { $0 == UInt8(ascii: "-") }
        let pieces = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var digits = Array(pieces[0])
        var point = digits.count
        if pieces.count > 1, pieces[1].contains(where: { $0 != UInt8(ascii: "0") }) { digits += pieces[1] }
        if parts.count > 1 { point += Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 }
        if point > digits.count { digits += Array(repeating: UInt8(ascii: "0"), count: point - digits.count) }
        if point < 1 {
            digits = Array(repeating: UInt8(ascii: "0"), count: 1 - point) + digits
            point = 1
        }
        if point < digits.count { digits.insert(UInt8(ascii: "."), at: point) }
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}
