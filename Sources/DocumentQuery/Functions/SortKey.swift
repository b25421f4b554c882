import Glibc

/// A value by which rows are sorted, if the document's bytes show it without parsing. The order is that of SQLite and
/// of the query language: MISSING, numbers with booleans, texts by their bytes, null, then arrays and objects.
enum SortKey: Sendable, Equatable {
    case missing
    case number(Double)
    case text([UInt8])
    case null

    /// The key of a value; `nil` if the value has to be parsed for that, or is a long text.
    ///
    /// - Parameter value: `nil` for MISSING.
    init?(_ value: UnsafeBufferPointer<UInt8>?) {
        guard let value else {
            self = .missing
            return
        }
        switch value.first {
        case UInt8(ascii: "\""):
            guard let text = Self.plainText(value), text.count <= QueryLimits.sortedText else { return nil }
            self = .text(Array(text))
        case UInt8(ascii: "t"): self = .number(1)
        case UInt8(ascii: "f"): self = .number(0)
        case UInt8(ascii: "n"): self = .null
        default:
            guard let number = Self.number(value) else { return nil }
            self = .number(number)
        }
    }

    /// The side of this key that a value is on: below 0 before it, above 0 behind it, 0 if they are equal; `nil` if the value
    /// has to be parsed for that.
    ///
    /// - Parameter value: `nil` for MISSING.
    func side(of value: UnsafeBufferPointer<UInt8>?) -> Int? {
        guard let value else { return rank > 0 ? -1 : 0 }
        switch value.first {
        case UInt8(ascii: "\""):
            guard case .text(let text) = self else { return rank < 2 ? 1 : -1 }
            return Self.plainText(value).map { Self.side(of: $0, beside: text) }
        case UInt8(ascii: "n"): return rank < 3 ? 1 : 0
        case UInt8(ascii: "{"), UInt8(ascii: "["): return 1
        case UInt8(ascii: "t"): return side(of: 1)
        case UInt8(ascii: "f"): return side(of: 0)
        default: return Self.number(value).flatMap { side(of: $0) }
        }
    }

    private func side(of number: Double) -> Int? {
        guard case .number(let own) = self else { return rank < 1 ? 1 : -1 }
        if number != own { return number < own ? -1 : 1 }
        // Beyond this limit, several whole numbers have the same double.
        return number.magnitude < 0x1p53 ? 0 : nil
    }

    private var rank: Int {
        switch self {
        case .missing: 0
        case .number: 1
        case .text: 2
        case .null: 3
        }
    }

    private static func side(of text: UnsafeBufferPointer<UInt8>, beside own: [UInt8]) -> Int {
        let order = own.withUnsafeBufferPointer { own -> Int in
            let common = min(text.count, own.count)
            guard common > 0, let left = text.baseAddress, let right = own.baseAddress else { return 0 }
            return Int(memcmp(left, right, common))
        }
        return order != 0 ? order : text.count - own.count
    }

    /// The text between the quotation marks; `nil` if a character is escaped.
    private static func plainText(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let text = UnsafeBufferPointer(rebasing: value[1..<max(1, value.count - 1)])
        guard let start = text.baseAddress, memchr(start, Int32(UInt8(ascii: "\\")), text.count) == nil else {
            return nil
        }
        return text
    }

    /// As a `Double`: two different numbers have doubles in the same order, or equal ones.
    private static func number(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
        switch ShortNumber(value) {
        case .whole(let number): Double(number)
        case .real(let number): number
        case nil: nil
        }
    }
}

extension SortKey {
    /// Whether a row with this key comes before one with the other, in the direction of the query.
    func comes(before other: SortKey, isDescending: Bool) -> Bool {
        isDescending ? other.isLess(than: self) : isLess(than: other)
    }

    private func isLess(than other: SortKey) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: rank < other.rank
        }
    }
}
