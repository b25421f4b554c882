import DocumentValues

/// A value of an expression.
package enum QueryValue: Sendable {
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    /// An array or an object.
    case container(JSONValue)

    package init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .boolean(value)
        case .number(let number):
            if NumberText.isWhole(number.text), let whole = Int64(number.text) {
                self = .integer(whole)
            } else {
                self = .real(number.double)
            }
        case .string(let text): self = .text(text)
        case .array, .object: self = .container(json)
        }
    }

    /// `nil` for MISSING.
    package var json: JSONValue? {
        switch self {
        case .missing: nil
        case .null: .null
        case .boolean(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .real(let value): .number(NumberText.json(value))
        case .text(let text): .string(text)
        case .container(let json): json
        }
    }

    package var isMissing: Bool { if case .missing = self { true } else { false } }

    package var array: [JSONValue]? { if case .container(.array(let elements)) = self { elements } else { nil } }

    package var string: String? { if case .text(let text) = self { text } else { nil } }

    /// Of numbers and booleans.
    package var number: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .real(let value): value
        case .missing, .null, .text, .container: nil
        }
    }

    /// The text that `||` takes; `nil` for MISSING.
    package var concatenated: String? {
        switch self {
        case .missing: nil
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .real(let value): NumberText.text(value)
        case .text(let text): text
        case .container(let json): String(decoding: CanonicalJSON.bytes(json), as: UTF8.self)
        }
    }

    /// An array's or an object's bytes as SQLite keeps and compares them: 8 bytes for its position in the order, then its
    /// canonical JSON. Equal contents have equal bytes.
    package var containerBytes: [UInt8] {
        guard case .container(let json) = self else { return [] }
        return ContainerOrder.key(of: json) + CanonicalJSON.bytes(json)
    }

    /// The same where they may be many.
    ///
    /// - Throws: `WorkEnded`; `FunctionError` for more bytes than a value may have.
    package func containerBytes(meter: WorkMeter) throws -> [UInt8] {
        guard case .container(let json) = self else { return [] }
        return ContainerOrder.key(of: json) + (try CanonicalJSON.bytes(json, meter: meter))
    }

    package static let containerPrefix = 8

    // MARK: Order

    private var rank: Int {
        switch self {
        case .missing: 0
        case .boolean, .integer, .real: 1
        case .text: 2
        case .null: 3
        case .container: 4
        }
    }

    /// -1, 0 or 1, by the order of all values: MISSING, numbers with booleans, texts by their bytes, null, containers.
    package func compared(to other: QueryValue) -> Int {
        guard rank == other.rank else { return rank < other.rank ? -1 : 1 }
        switch (self, other) {
        case (.text(let left), .text(let right)):
            return left.isExactly(right) ? 0 : left.isExactlyBefore(right) ? -1 : 1
        case (.container, .container):
            let (left, right) = (containerBytes, other.containerBytes)
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        default: return comparedAsNumber(to: other)
        }
    }

    /// The same for values that may be large.
    ///
    /// - Throws: `WorkEnded`; `FunctionError` for an array or an object of more bytes than a value may have.
    func compared(to other: QueryValue, meter: WorkMeter) throws -> Int {
        switch (self, other) {
        case (.container, .container):
            let (left, right) = (try containerBytes(meter: meter), try other.containerBytes(meter: meter))
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.text(let left), .text(let right)):
            try meter.count(min(left.utf8.count, right.utf8.count))
            return compared(to: other)
        default: return compared(to: other)
        }
    }

    private func comparedAsNumber(to other: QueryValue) -> Int {
        if let left = whole, let right = other.whole { return left == right ? 0 : left < right ? -1 : 1 }
        if let left = whole, case .real(let right) = other { return Self.compare(left, right: right) }
        if case .real(let left) = self, let right = other.whole { return -Self.compare(right, right: left) }
        guard let left = number, let right = other.number else { return 0 }
        return left == right ? 0 : left < right ? -1 : 1
    }

    private var whole: Int64? {
        switch self {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        case .missing, .null, .real, .text, .container: nil
        }
    }

    /// Exactly, also beyond 2^53.
    private static func compare(_ left: Int64, right: Double) -> Int {
        if right >= 9_223_372_036_854_775_808 { return -1 }
        if right < -9_223_372_036_854_775_808 { return 1 }
        let whole = Int64(right)
        if left != whole { return left < whole ? -1 : 1 }
        let fraction = right - Double(whole)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }
}

/// The order of arrays and objects among themselves: that of Couchbase Lite's storage format, which applications know;
/// its first eight bytes distinguish nearly all values. In that format, long texts and numbers come before the value
/// that contains them.
enum ContainerOrder {
    static func key(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = write(value, to: &bytes)
        return Array((bytes + [UInt8](repeating: 0, count: 8)).prefix(QueryValue.containerPrefix))
    }

    /// Writes a value of more than two bytes, and returns the two bytes that its container has for it.
    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) -> [UInt8] {
        guard bytes.count < QueryValue.containerPrefix else { return [0x80, 0] }
        switch value {
        case .null: return [0x30, 0]
        case .bool(let bool): return [bool ? 0x38 : 0x34, 0]
        case .string(let text): return write(text, to: &bytes)
        case .number(let number): return write(number, to: &bytes)
        case .array(let elements):
            let slots = elements.prefix(32).map { write($0, to: &bytes) }
            bytes += [0x60 | UInt8(elements.count >> 8 & 7), UInt8(elements.count & 0xFF)] + slots.joined()
            return [0x80, 2]
        case .object(let object):
            let members = object.members.sorted { $0.key.isExactlyBefore($1.key) }
            let slots = members.prefix(32).map { write($0.key, to: &bytes) + write($0.value, to: &bytes) }
            bytes += [0x70 | UInt8(members.count >> 8 & 7), UInt8(members.count & 0xFF)] + slots.joined()
            return [0x80, 2]
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) -> [UInt8] {
        let content = text.utf8
        guard content.count > 1 else { return [0x40 | UInt8(content.count), content.first ?? 0] }
        bytes.append(0x40 | UInt8(min(content.count, 15)))
        if content.count >= 15 { bytes.append(UInt8(content.count & 0x7F) | (content.count > 127 ? 0x80 : 0)) }
        bytes += content.prefix(QueryValue.containerPrefix)
        return [0x80, 1]
    }

    private static func write(_ number: JSONNumber, to bytes: inout [UInt8]) -> [UInt8] {
        if NumberText.isWhole(number.text), let whole = Int64(number.text) {
            if whole >= -2048, whole < 2048 { return [UInt8(whole >> 8 & 0x0F), UInt8(whole & 0xFF)] }
            let count = (65 - min(whole.magnitude.leadingZeroBitCount, 63) + 7) / 8
            bytes.append(0x10 | UInt8(count - 1))
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: whole >> (8 * index))) }
            return [0x80, 1]
        }
        bytes += [0x28, 0]
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.double.bitPattern >> (8 * UInt64(index)))) }
        return [0x80, 1]
    }
}
