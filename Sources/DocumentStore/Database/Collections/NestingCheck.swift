import DocumentValues
import Foundation

/// An encoder that writes nothing, and throws where an object is nested too deeply, as one is that refers to itself.
///
/// `JSONEncoder` looks at that when it has walked through all of the object, by calls inside each other, for which there may
/// not be enough stack.
struct NestingCheck: Encoder {
    private indirect enum Path {
        case object
        case member(any CodingKey, of: Path)
    }

    /// Nobody follows more of them.
    private static let shownKeys = 32

    private let path: Path
    /// How many values are inside each other here. The path has fewer keys where one is written as another.
    private let level: Int
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// - Throws: `.invalidParameter` with the way to where it is too deep; what the object throws that is encoded.
    static func look(at object: some Encodable) throws { try object.encode(to: Self(path: .object, level: 1)) }

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
        KeyedEncodingContainer(CheckedMembers(check: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CheckedElements(check: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { CheckedValue(check: self) }

    fileprivate func visit(_ value: some Encodable, at key: (any CodingKey)? = nil) throws {
        guard level <= JSONLimits.depth else { throw tooDeep }
        guard !Self.isLeaf(value) else { return }
        try value.encode(to: inside(key))
    }

    fileprivate func inside(_ key: (any CodingKey)?) -> Self {
        Self(path: key.map { Path.member($0, of: path) } ?? path, level: level + 1)
    }

    /// Has no others inside that are encoded, or asks an encoder for nothing but itself.
    private static func isLeaf(_ value: some Encodable) -> Bool {
        switch value {
        case is Bool, is String, is Double, is Float, is any BinaryInteger, is Date, is Data, is URL, is Decimal: true
        default: false
        }
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

private struct CheckedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let check: NestingCheck

    var codingPath: [any CodingKey] { check.codingPath }

    func encodeNil(forKey key: Key) throws {}
    func encode(_ value: some Encodable, forKey key: Key) throws { try check.visit(value, at: key) }
    // These two are refused by a container that does not say otherwise.
    func encode(_ value: Int128, forKey key: Key) throws {}
    func encode(_ value: UInt128, forKey key: Key) throws {}

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { check.inside(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        check.inside(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { check.inside(nil) }
    func superEncoder(forKey key: Key) -> any Encoder { check.inside(key) }
}

private struct CheckedElements: UnkeyedEncodingContainer {
    private struct ElementKey: CodingKey {
        let index: Int
        var stringValue: String { "\(index)" }
        var intValue: Int? { index }

        init?(intValue: Int) { index = intValue }
        init?(stringValue: String) { return nil }
    }

    let check: NestingCheck
    var count = 0

    var codingPath: [any CodingKey] { check.codingPath }

    mutating func encodeNil() throws { count += 1 }
    mutating func encode(_ value: some Encodable) throws { try check.visit(value, at: next()) }
    mutating func encode(_ value: Int128) throws { count += 1 }
    mutating func encode(_ value: UInt128) throws { count += 1 }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        check.inside(next()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { check.inside(next()).unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { check.inside(next()) }

    private mutating func next() -> (any CodingKey)? {
        defer { count += 1 }
        return ElementKey(intValue: count)
    }
}

private struct CheckedValue: SingleValueEncodingContainer {
    let check: NestingCheck

    var codingPath: [any CodingKey] { check.codingPath }

    func encodeNil() throws {}
    func encode(_ value: some Encodable) throws { try check.visit(value) }
    func encode(_ value: Int128) throws {}
    func encode(_ value: UInt128) throws {}
}
