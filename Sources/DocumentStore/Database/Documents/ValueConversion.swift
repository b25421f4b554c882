import DocumentQuery
import DocumentValues
import Foundation

/// Between the values that callers use (`String`, `Int`, `[String: Any]`, `Date` …) and those of a document.
enum ValueConversion {
    /// A value that a document can hold. Any other is kept as unstorable, and refused with its path when the document
    /// is saved.
    static func node(_ value: Any?, origin: ValueOrigin) -> NodeValue {
        var builder = ValueBuilder(origin: origin)
        return builder.node(value)
    }

    static func members(_ values: [String: Any?], origin: ValueOrigin) -> [(key: String, value: NodeValue)] {
        var builder = ValueBuilder(origin: origin)
        return builder.members(values)
    }

    /// A value of Swift's that contains no others; `nil` for a container, and for a type that no document can hold.
    static func leaf(_ value: Any) -> NodeValue? {
        switch value {
        case let value as JSONValue: .json(value)
        case let value as String: .json(.string(value))
        case let value as any BinaryInteger: integer(value)
        case let value as Bool: .json(.bool(value))
        case let value as Double: real(value)
        case let value as Float: real(Double("\(value)") ?? Double(value))
        case let value as Date: date(value)
        case let value as CGFloat: real(Double(value))
        default: nil
        }
    }

    /// The same for an instance of a class, or a value that becomes one of Foundation's, such as `Decimal`.
    ///
    /// Do not pass a container of Swift's: to test its class, the runtime would convert it and everything in it by nested
    /// calls.
    static func object(_ value: Any) -> NodeValue? {
        switch value {
        case is NSNull: .json(.null)
        case let value as NSNumber: number(value)
        case let value as NSString: .json(.string("\(value)"))
        case let value as Blob: .blob(value)
        default: nil
        }
    }

    private static func integer(_ value: any BinaryInteger) -> NodeValue {
        if let value = Int64(exactly: value) { return .json(.number(JSONNumber(value))) }
        if let value = UInt64(exactly: value) { return .json(.number(JSONNumber(value))) }
        return .unstorable("\(value) does not fit into 64 bits")
    }

    private static func date(_ value: Date) -> NodeValue {
        guard DocumentDate.canWrite(value) else { return .unstorable("the date is outside the years 1 to 9999") }
        return .json(.string(DocumentDate.text(value)))
    }

    private static func real(_ value: Double) -> NodeValue {
        guard value.isFinite else { return .unstorable("\(value) is not a finite number") }
        return .json(.number(JSONNumber(real: value)))
    }

    private static func number(_ value: NSNumber) -> NodeValue {
        if let decimal = value as? NSDecimalNumber { return self.decimal(decimal.decimalValue) }
        return switch String(cString: value.objCType) {
        // A number of eight bits has the type of a boolean.
        case "c" where value.int8Value < 0 || value.int8Value > 1: .json(.number(JSONNumber(value.int64Value)))
        case "c", "B": .json(.bool(value.boolValue))
        case "d", "f": real(value.doubleValue)
        case "Q": .json(.number(JSONNumber(value.uint64Value)))
        default: .json(.number(JSONNumber(value.int64Value)))
        }
    }

    /// With its own digits, as in a `Codable` object: a conversion to `Double` may change the number.
    private static func decimal(_ value: Decimal) -> NodeValue {
        // Only a `Decimal` that is not a number has a text that is not JSON.
        guard let number = try? JSONValue(parsing: Array(value.description.utf8)) else { return real(.nan) }
        return .json(number)
    }

    // MARK: Back

    /// The result of `value(forKey:)`: containers and blobs as objects.
    static func value(_ node: NodeValue, mutable: Bool) -> Any {
        switch node {
        case .dictionary(let node): mutable ? MutableDictionaryObject(node) : DictionaryObject(node)
        case .array(let node): mutable ? MutableArrayObject(node) : ArrayObject(node)
        case .blob(let blob): blob
        case .json(let json): plain(json)
        case .unstorable: NSNull()
        }
    }

    /// The result of `toDictionary()`: containers as Swift's, blobs as objects.
    static func plain(_ node: DictionaryNode) -> [String: Any] { plain(.dictionary(node)) as? [String: Any] ?? [:] }

    static func plain(_ node: ArrayNode) -> [Any] { plain(.array(node)) as? [Any] ?? [] }

    static func plain(_ json: JSONValue) -> Any { plain(.json(json)) }

    static func plain(_ value: NodeValue) -> Any {
        var values = PlainValues()
        return values.make(value)
    }
}

/// Dates in documents: ISO 8601 in UTC with milliseconds, `2026-03-01T09:30:00.000Z`. The calendar is the Gregorian one, also
/// for the time before it, as ISO 8601 and `STR_TO_MILLIS` have it.
package enum DocumentDate {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The first moments of the years 1 and 10000, in seconds since 1970.
    private static let writable = -62_135_596_800.0..<253_402_300_800.0

    /// Whether the format has a year for the date.
    package static func canWrite(_ date: Date) -> Bool { writable.contains(date.timeIntervalSince1970) }

    /// To the nearest millisecond, so that a text that is read and written again stays as it is. The format cuts off
    /// fractions of a millisecond, and a `Double` hardly ever has a whole number of them.
    package static func text(_ date: Date) -> String {
        let milliseconds = min((date.timeIntervalSince1970 * 1_000).rounded(), writable.upperBound * 1_000 - 1)
        let written = Date(timeIntervalSince1970: (milliseconds + 0.4) / 1_000)
        return EarlyDate.text(of: written, format: style.format)
    }

    package static func date(_ text: String) -> Date? { DateText.date(text) }
}
