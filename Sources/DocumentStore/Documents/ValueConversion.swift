import DocumentValues
import Foundation

/// Between the values that callers use (`String`, `Int`, `[String: Any]`, `Date` …) and those of a document.
enum ValueConversion {
    /// What can be stored in a document; anything else is kept as what it is and refused when the document is saved,
    /// with its path.
    ///
    /// - Parameter depth: how many containers are around it.
    static func node(_ value: Any?, origin: ValueOrigin, depth: Int = 1) -> NodeValue {
        guard let value = unwrapped(value) else { return .json(.null) }
        guard depth <= JSONLimits.depth else { return .tooDeep }
        switch value {
        case is NSNull: return .json(.null)
        case let value as JSONValue: return .json(value)
        case let value as String: return .json(.string(value))
        case let value as any BinaryInteger: return integer(value)
        case let value as Bool: return .json(.bool(value))
        case let value as Double: return .json(.number(JSONNumber(value)))
        case let value as Float: return .json(.number(JSONNumber(Double("\(value)") ?? Double(value))))
        case let value as NSNumber: return .json(number(value))
        case let value as NSString: return .json(.string("\(value)"))
        case let value as Date: return date(value)
        case let value as Blob: return .blob(value)
        case let value as MutableDictionaryObject: return .dictionary(value.node)
        case let value as DictionaryObject: return .dictionary(DictionaryNode(value.node, copiedFor: origin))
        case let value as MutableArrayObject: return .array(value.node)
        case let value as ArrayObject: return .array(ArrayNode(value.node, copiedFor: origin))
        case let value as Fragment: return value.nodeValue ?? .json(.null)
        case let value as [String: Any]: return .dictionary(dictionary(value, origin: origin, depth: depth))
        case let value as [String: Any?]: return .dictionary(dictionary(value, origin: origin, depth: depth))
        case let value as [Any]: return .array(array(value, origin: origin, depth: depth))
        case let value as [Any?]: return .array(array(value, origin: origin, depth: depth))
        default: return .unstorable("\(type(of: value)) is not a type that a document can hold")
        }
    }

    static func members(
        _ values: [String: Any?], origin: ValueOrigin, depth: Int = 1
    ) -> [(key: String, value: NodeValue)] {
        // A Swift dictionary has no order of its own; sorted keys at least make equal documents equal bytes.
        values.sorted { $0.key.isExactlyBefore($1.key) }.map { ($0.key, node($0.value, origin: origin, depth: depth)) }
    }

    private static func dictionary(_ values: [String: Any?], origin: ValueOrigin, depth: Int) -> DictionaryNode {
        let node = DictionaryNode(origin: origin)
        node.replaceAll(with: members(values, origin: origin, depth: depth + 1))
        return node
    }

    private static func array(_ values: [Any?], origin: ValueOrigin, depth: Int) -> ArrayNode {
        let node = ArrayNode(origin: origin)
        node.replaceAll(with: values.map { self.node($0, origin: origin, depth: depth + 1) })
        return node
    }

    /// An optional inside an `Any` is looked into.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return unwrapped(mirror.children.first?.value)
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

    private static func number(_ value: NSNumber) -> JSONValue {
        switch String(cString: value.objCType) {
        case "c", "B": .bool(value.boolValue)
        case "d", "f": .number(JSONNumber(value.doubleValue))
        case "Q": .number(JSONNumber(value.uint64Value))
        default: .number(JSONNumber(value.int64Value))
        }
    }

    // MARK: Back

    /// What `value(forKey:)` returns: containers and blobs as objects.
    static func value(_ node: NodeValue, mutable: Bool) -> Any {
        switch node {
        case .dictionary(let node): mutable ? MutableDictionaryObject(node) : DictionaryObject(node)
        case .array(let node): mutable ? MutableArrayObject(node) : ArrayObject(node)
        case .blob(let blob): blob
        case .json(let json): plain(json)
        case .unstorable: NSNull()
        }
    }

    /// What `toDictionary()` returns: containers as Swift's, blobs as objects.
    static func plain(_ node: NodeValue, depth: Int = 1) -> Any {
        // Deeper ones cannot be saved either.
        guard depth <= JSONLimits.depth else { return NSNull() }
        return switch node {
        case .dictionary(let node): plain(node, depth: depth)
        case .array(let node): plain(node, depth: depth)
        case .blob(let blob): blob
        case .json(let json): plain(json)
        case .unstorable: NSNull()
        }
    }

    static func plain(_ node: DictionaryNode, depth: Int = 1) -> [String: Any] {
        Dictionary(
            node.keys.compactMap { key in node[key].map { (key, plain($0, depth: depth + 1)) } },
            uniquingKeysWith: { $1 })
    }

    static func plain(_ node: ArrayNode, depth: Int = 1) -> [Any] {
        (0..<node.count).compactMap { node[$0].map { plain($0, depth: depth + 1) } }
    }

    static func plain(_ json: JSONValue) -> Any {
        switch json {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let number): plain(number)
        case .string(let value): value
        case .array(let elements): elements.map(plain)
        case .object(let object):
            Dictionary(object.members.map { ($0.key, plain($0.value)) }, uniquingKeysWith: { $1 })
        }
    }

    private static func plain(_ number: JSONNumber) -> Any {
        if let value = number.int64 { return Int(value) }
        if let value = number.uint64 { return value }
        return number.double
    }
}

extension DictionaryNode {
    convenience init(_ other: DictionaryNode, copiedFor origin: ValueOrigin, depth: Int = 1) {
        self.init(origin: origin)
        replaceAll(
            with: other.keys.compactMap { key in other[key].map { (key, $0.copied(for: origin, depth: depth)) } })
    }
}

extension ArrayNode {
    convenience init(_ other: ArrayNode, copiedFor origin: ValueOrigin, depth: Int = 1) {
        self.init(origin: origin)
        replaceAll(with: (0..<other.count).compactMap { other[$0]?.copied(for: origin, depth: depth) })
        takeFault(of: other)
    }
}

extension NodeValue {
    fileprivate func copied(for origin: ValueOrigin, depth: Int) -> NodeValue {
        guard depth <= JSONLimits.depth else { return .tooDeep }
        return switch self {
        case .json, .blob, .unstorable: self
        case .dictionary(let node): .dictionary(DictionaryNode(node, copiedFor: origin, depth: depth + 1))
        case .array(let node): .array(ArrayNode(node, copiedFor: origin, depth: depth + 1))
        }
    }
}

/// Dates in documents: ISO 8601 in UTC with milliseconds, `2026-03-01T09:30:00.000Z`.
package enum DocumentDate {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let wholeSeconds = Date.ISO8601FormatStyle()

    /// The first moments of the years 1 and 10000, in seconds since 1970.
    private static let writable = -62_135_596_800.0..<253_402_300_800.0

    /// Whether the format has a year for the date.
    package static func canWrite(_ date: Date) -> Bool { writable.contains(date.timeIntervalSince1970) }

    package static func text(_ date: Date) -> String { style.format(date) }

    package static func date(_ text: String) -> Date? {
        if let date = try? style.parse(text) { return date }
        if let date = try? wholeSeconds.parse(text) { return date }
        return try? wholeSeconds.year().month().day().parse(text)
    }
}
