import DocumentValues

/// The decoder of one value of a layout. It is small, because `any Decoder` allocates memory for a larger value.
struct DecodedValue: Decoder, SingleValueDecodingContainer {
    let layout: JSONLayout
    let index: Int

    var codingPath: [any CodingKey] { layout.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { layout.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try DecodedMembers(of: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try DecodedElements(of: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: Alone

    func decodeNil() -> Bool { layout.isNull(at: index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try layout.value(type, at: index) }
    func decode(_ type: Bool.Type) throws -> Bool { try layout.booleanAlone(at: index) }
    // These two are refused by a container that does not say otherwise.
    func decode(_ type: Int128.Type) throws -> Int128 { try layout.value(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try layout.value(type, at: index) }
}

/// The decoder of a missing member, which a class may request for its superclass. It decodes null.
struct AbsentValue: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw absence(of: [String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absence(of: [Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }
    /// An optional accepts null.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard type is any ExpressibleByNilLiteral.Type else { throw absence(of: type) }
        return try T(from: self)
    }
    func decode(_ type: Int128.Type) throws -> Int128 { throw absence(of: type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw absence(of: type) }

    private func absence(of type: Any.Type) -> DecodingError {
        .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no such member"))
    }
}
