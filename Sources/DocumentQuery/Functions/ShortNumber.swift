/// A number of JSON as nearly all are spelled: some digits, with a point among them or without one. Reading it from its
/// bytes takes a tenth of the time that its text takes.
package enum ShortNumber: Sendable, Hashable {
    case whole(Int64)
    case real(Double)

    /// `nil` for one that has too many digits, or an exponent.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var point: Int?
        var index = isNegative ? 1 : 0
        guard index < bytes.count, bytes.count - index <= Self.longest else { return nil }
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x30, byte <= 0x39 {
                value = value &* 10 &+ Int64(byte &- 0x30)
            } else {
                guard byte == UInt8(ascii: "."), point == nil else { return nil }
                point = index
            }
            index &+= 1
        }
        guard let point else {
            self = .whole(isNegative ? -value : value)
            return
        }
        let decimals = bytes.count - point - 1
        // Both operands are exact doubles, so the division rounds only once, to the nearest double.
        guard value <= 1 << 53, decimals > 0 else { return nil }
        let real = Double(value) / Self.power(decimals)
        self = .real(isNegative ? -real : real)
    }

    /// Digits and point that make no number beyond an `Int64`, and no power of ten that a `Double` does not have exactly.
    private static let longest = 18

    private static func power(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
