/// A member that reports of earlier versions do not have: it is empty in them. A laptop's notes last longer than a version.
@propertyWrapper
public struct LaterMember<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: LaterMember<Int>.Type, forKey key: Key) throws -> LaterMember<Int> {
        try decodeIfPresent(type, forKey: key) ?? LaterMember(wrappedValue: 0)
    }

    func decode<Element: Sendable & Hashable & Codable>(
        _ type: LaterMember<[Element]>.Type, forKey key: Key
    ) throws -> LaterMember<[Element]> {
        try decodeIfPresent(type, forKey: key) ?? LaterMember(wrappedValue: [])
    }
}
