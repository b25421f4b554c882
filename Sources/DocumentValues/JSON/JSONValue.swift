/// A JSON value whose numbers keep their spelling and whose objects keep the order of their members.
///
/// Documents are sent and stored as the bytes in which they came; this tree is only made to look inside one.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// Compares each pair of values once, not by recursion.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pairs: [(JSONValue, JSONValue)] = []
        var next: (JSONValue, JSONValue)? = (left, right)
        while let pair = next {
            guard haveSameTop(pair.0, right: pair.1, pairs: &pairs) else { return false }
            next = pairs.popLast()
        }
        return true
    }

    /// Whether two scalars are equal; for containers, whether they may be: their content is compared later.
    private static func haveSameTop(
        _ left: JSONValue, right: JSONValue, pairs: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left.isExactly(right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            pairs.append(contentsOf: zip(left, right))
            return true
        case (.object(let left), .object(let right)): return left.addPairs(with: right, to: &pairs)
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): return false
        }
    }

    /// Hashes two levels: enough to distinguish most values, at a bounded cost.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .bool, .number, .string: hashTop(into: &hasher)
        case .array(let elements): for element in elements { element.hashTop(into: &hasher) }
        case .object(let object): object.hash(into: &hasher)
        }
    }

    /// Hashes a scalar, or the size of a container.
    func hashTop(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(Name(string))
        case .array(let elements): hasher.combine(elements.count)
        case .object(let object): hasher.combine(object.count)
        }
    }
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
