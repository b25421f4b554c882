import DocumentValues

/// The members of an object, by their names.
struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The only stored value, since the container is copied for each member that is read.
    private let cursor: MemberCursor

    init(of value: DecodedValue) throws {
        try value.layout.check(.object, for: [String: Any].self, at: value.index)
        cursor = MemberCursor(value.index, in: value.layout)
    }

    private var layout: JSONLayout { cursor.layout }
    var codingPath: [any CodingKey] { layout.path(to: cursor.object) }
    var allKeys: [Key] { layout.names(of: cursor.object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { cursor.find(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { layout.isNull(at: try index(of: key)) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try required(type, at: key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try optional(type, at: key) }

    /// - Throws: where there is no such member.
    private func index(of key: Key) throws -> Int {
        if let index = cursor.find(key.stringValue) { return index }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no such member"))
    }

    @inline(__always) private func required<T: Decodable>(_ type: T.Type, at key: Key) throws -> T {
        try layout.value(type, at: try index(of: key))
    }

    @inline(__always) private func optional<T: Decodable>(_ type: T.Type, at key: Key) throws -> T? {
        guard let index = cursor.find(key.stringValue), !layout.isNull(at: index) else { return nil }
        return try layout.value(type, at: index)
    }

    // MARK: Inside

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder(PathKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

    private func value(_ key: Key) throws -> DecodedValue { DecodedValue(layout: layout, index: try index(of: key)) }

    /// A decoder of null where there is no such member.
    private func decoder(_ key: some CodingKey) -> any Decoder {
        if let index = cursor.find(key.stringValue) { return DecodedValue(layout: layout, index: index) }
        return AbsentValue(codingPath: codingPath + [key], userInfo: layout.userInfo)
    }
}

// One method for each type that JSON has: the compiler knows the type here, while the generic methods above look it up each
// time. Without the second group a member would be looked up three times.
extension DecodedMembers {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(type, at: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(type, at: key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(type, at: key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(type, at: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(type, at: key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try required(type, at: key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try required(type, at: key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try required(type, at: key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(type, at: key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try required(type, at: key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try required(type, at: key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try required(type, at: key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try required(type, at: key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try required(type, at: key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try required(type, at: key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try required(type, at: key) }
}

extension DecodedMembers {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, at: key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, at: key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, at: key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try optional(type, at: key) }
}
