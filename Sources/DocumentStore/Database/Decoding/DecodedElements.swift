import DocumentValues

/// The elements of an array, one after the other.
struct DecodedElements: UnkeyedDecodingContainer {
    private let layout: JSONLayout
    private let array: Int
    /// The index of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(of value: DecodedValue) throws {
        try value.layout.check(.array, for: [Any].self, at: value.index)
        layout = value.layout
        array = value.index
        next = value.index + 1
    }

    var codingPath: [any CodingKey] { layout.path(to: array) }
    var count: Int? { layout.count(of: array) }
    var isAtEnd: Bool { next >= layout.end(of: array) }

    mutating func decodeNil() throws -> Bool {
        try check(for: Any?.self)
        guard layout.isNull(at: next) else { return false }
        pass()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }
    // These two are refused by a container that does not say otherwise.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        try check(for: type)
        let value = try layout.value(type, at: next)
        pass()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try check(for: [String: Any].self)
        let container = try DecodedValue(layout: layout, index: next).container(keyedBy: type)
        pass()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try check(for: [Any].self)
        let container = try DecodedValue(layout: layout, index: next).unkeyedContainer()
        pass()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        try check(for: (any Decoder).self)
        defer { pass() }
        return DecodedValue(layout: layout, index: next)
    }

    private mutating func pass() {
        next = layout.end(of: next)
        currentIndex += 1
    }

    /// - Throws: where no element is left.
    private func check(for type: @autoclosure () -> Any.Type) throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(
            type(),
            DecodingError.Context(
                codingPath: codingPath + [PathKey(intValue: currentIndex)],
                debugDescription: "the array has no more elements"))
    }
}
