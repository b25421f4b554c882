/// A JSON value whose numbers keep their spelling and whose objects keep the order of their members.
///
/// Documents travel and rest as the bytes they came in; this tree is made only where something looks inside one.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    public var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    public var arrayValue: [JSONValue]? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    public var stringValue: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    public var boolValue: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    public var numberValue: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The whole number, when the value is one that fits.
    public var integerValue: Int64? { numberValue?.int64 }

    public var doubleValue: Double? { numberValue?.double }

    public var isNull: Bool { self == .null }

    /// The member of an object; `nil` for any other value and for a member that is not there.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// The element of an array; `nil` for any other value and outside its bounds.
    public subscript(index: Int) -> JSONValue? {
        guard let array = arrayValue, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(members: elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }

    public static func int(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(Int64(value))) }
}
