import DocumentValues
import Foundation

/// Writes an object as JSON. Dates are ISO 8601 texts, `Data` is base64.
///
/// Foundation's encoder writes 5.0 as 5, and takes two canonically equal names for one. It also checks the depth of an object
/// only at the end: an object that refers to itself would use up the stack before.
struct ObjectEncoder: Encoder {
    private indirect enum Path {
        case object
        case member(any CodingKey, of: Path)
    }

    /// A longer path would not help a reader.
    private static let shownKeys = 32

    private let path: Path
    /// The depth of values here. It may be more than the keys of the path: a value that is encoded as another one adds
    /// no key.
    private let level: Int
    let userInfo: [CodingUserInfoKey: Any]
    fileprivate let slot: EncodedSlot

    /// - Returns: `nil` for an object that encodes nothing.
    /// - Throws: `.invalidParameter` with the path to the value that is too deep; the errors of the object's own
    ///   `encode(to:)`.
    static func json(
        of object: some Encodable, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> JSONValue? {
        let encoder = Self(path: .object, level: 1, userInfo: userInfo, slot: EncodedSlot())
        try object.encode(to: encoder)
        return encoder.slot.part?.json
    }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var rest = path
        while case .member(let key, let outer) = rest {
            keys.append(key)
            rest = outer
        }
        return keys.reversed()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberContainer(encoder: self, members: slot.members()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementContainer(encoder: self, elements: slot.elements())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(encoder: self) }

    fileprivate func json(of value: some Encodable, at key: (any CodingKey)? = nil) throws -> JSONValue {
        guard level <= JSONLimits.depth else { throw tooDeep }
        if let leaf = try leaf(value, at: key) { return leaf }
        guard level < JSONLimits.depth else { throw tooDeep }
        let encoder = inside(key, slot: EncodedSlot())
        try value.encode(to: encoder)
        return encoder.slot.part?.json ?? .object([:])
    }

    fileprivate func inside(_ key: (any CodingKey)?, slot: EncodedSlot) -> Self {
        Self(path: key.map { Path.member($0, of: path) } ?? path, level: level + 1, userInfo: userInfo, slot: slot)
    }

    /// For values that contain no others to be encoded, and for those whose `encode(to:)` would only encode themselves
    /// again.
    private func leaf(_ value: some Encodable, at key: (any CodingKey)?) throws -> JSONValue? {
        switch value {
        case let value as String: return .string(value)
        case let value as Bool: return .bool(value)
        case let value as Int: return .number(JSONNumber(Int64(value)))
        case let number as Double:
            guard number.isFinite else { throw unfit(value, at: key, because: "it is not a finite number") }
            return .number(JSONNumber(real: number))
        case let number as Float:
            // With the digits that it has as a Float.
            guard number.isFinite, let double = Double("\(number)") else {
                throw unfit(value, at: key, because: "it is not a finite number")
            }
            return .number(JSONNumber(real: double))
        case let number as any BinaryInteger: return try JSONValue(parsing: "\(number)")
        case let date as Date:
            guard DocumentDate.canWrite(date) else {
                throw unfit(value, at: key, because: "the date is outside the years 1 to 9999")
            }
            return .string(DocumentDate.text(date))
        case let data as Data: return .string(data.base64EncodedString())
        case let url as URL: return .string(url.absoluteString)
        case let decimal as Decimal:
            guard !decimal.isNaN else { throw unfit(value, at: key, because: "it is not a finite number") }
            return try JSONValue(parsing: decimal.description)
        default: return nil
        }
    }

    private func unfit(_ value: any Encodable, at key: (any CodingKey)?, because reason: String) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: reason))
    }

    private var tooDeep: StoreError {
        let keys = codingPath
        let shown = Array(keys.prefix(Self.shownKeys)).shown + (keys.count > Self.shownKeys ? "/…" : "")
        return StoreError(
            .invalidParameter,
            message: "The object cannot be written as a document: \(NodeValue.tooDeepReason), or refers to itself, "
                + "at \(shown).")
    }
}

/// The name of a part for which the type has none.
private struct EncodedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

    /// The part that an object's superclass encodes.
    static var inherited: Self { Self(stringValue: "super") }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ObjectEncoder
    let members: EncodedMembers

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { members.set(.value(.null), forKey: key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        members.set(.value(try encoder.json(of: value, at: key)), forKey: key.stringValue)
    }

    // The default implementation of a container refuses these two types.
    func encode(_ value: Int128, forKey key: Key) throws {
        members.set(.value(try encoder.json(of: value, at: key)), forKey: key.stringValue)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        members.set(.value(try encoder.json(of: value, at: key)), forKey: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(EncodedKey.inherited) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> ObjectEncoder {
        encoder.inside(key, slot: members.slot(forKey: key.stringValue))
    }
}

private struct ElementContainer: UnkeyedEncodingContainer {
    let encoder: ObjectEncoder
    let elements: EncodedElements

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { elements.parts.count }
    private var key: EncodedKey { EncodedKey(intValue: count) }

    func encodeNil() throws { elements.parts.append(.value(.null)) }

    func encode(_ value: some Encodable) throws {
        elements.parts.append(.value(try encoder.json(of: value, at: key)))
    }

    func encode(_ value: Int128) throws { elements.parts.append(.value(try encoder.json(of: value, at: key))) }
    func encode(_ value: UInt128) throws { elements.parts.append(.value(try encoder.json(of: value, at: key))) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ObjectEncoder {
        let slot = EncodedSlot()
        let nested = encoder.inside(key, slot: slot)
        elements.parts.append(.slot(slot))
        return nested
    }
}

private struct ValueContainer: SingleValueEncodingContainer {
    let encoder: ObjectEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { encoder.slot.part = .value(.null) }
    func encode(_ value: some Encodable) throws { encoder.slot.part = .value(try encoder.json(of: value)) }
    func encode(_ value: Int128) throws { encoder.slot.part = .value(try encoder.json(of: value)) }
    func encode(_ value: UInt128) throws { encoder.slot.part = .value(try encoder.json(of: value)) }
}
