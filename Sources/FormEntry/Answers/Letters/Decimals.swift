/// Numbers with a fixed count of digits behind the point.
enum Decimals {
    /// `52.50000`, `-0.5`; rounded, without a sign before zero.
    ///
    /// - Parameter decimals: 0 to 9.
    static func text(_ value: Double, decimals: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        // Earth has no lengths or degrees beyond this.
        let limit = 9e18 / Double(scale) - 1
        let scaled = Int64((min(max(value.isNaN ? 0 : value, -limit), limit) * Double(scale)).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(whole) }
        let digits = String(rest)
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.utf8.count))\(digits)"
    }
}
