/// A JSON number in its source spelling, so that it is written again with the same bytes.
///
/// Revision digests are computed over the spelling, and a 64-bit integer must never pass through a `Double`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The spelling, by the grammar of RFC 8259.
    public let text: String

    /// For text that a parser has already checked.
    init(checkedText text: String) { self.text = text }

    public init(_ value: Int64) { text = String(value) }

    public init(_ value: UInt64) { text = String(value) }

    /// A finite number; infinity and NaN, which JSON cannot spell, become 0.
    public init(_ value: Double) {
        guard value.isFinite else {
            text = "0"
            return
        }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
            text = String(whole)
        } else {
            text = "\(value)"
        }
    }

    /// A finite number, spelled with a point or an exponent: `5.0`, `1e+16`. Infinity and NaN become 0.
    public init(real value: Double) { text = value.isFinite ? "\(value)" : "0" }

    public var int64: Int64? {
        if let whole = Int64(text) { return whole }
        // `1.0` and `1e3` are whole too; beyond 2^53 a double no longer shows which number was meant.
        guard let value = Double(text), abs(value) < 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: value)
    }

    public var uint64: UInt64? {
        if let whole = UInt64(text) { return whole }
        return int64.flatMap { UInt64(exactly: $0) }
    }

    public var double: Double { Double(text) ?? 0 }

    public var description: String { text }

    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        switch (left.int64, right.int64) {
        case (let left?, let right?): return left == right
        // Whole numbers beyond Int64 are compared as doubles only if both are not spelled as whole ones.
        case (nil, nil): return !(left.isWhole && right.isWhole) && left.double == right.double
        case (nil, _?), (_?, nil): return false
        }
    }

    /// Spelled with digits alone.
    public var isWhole: Bool { text.utf8.drop { $0 == UInt8(ascii: "-") }.allSatisfy { $0 >= 48 && $0 <= 57 } }

    public func hash(into hasher: inout Hasher) {
        if let int64 { hasher.combine(int64) } else { hasher.combine(double) }
    }
}
