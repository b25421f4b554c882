/// Makes JSON `Codable`, for code outside the document path; that has a reader and a writer of its own.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: JSONKey.self) {
            self = .object(try JSONObject(keyed))
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
            self = .array(array)
            return
        }
        self = try JSONValue(try decoder.singleValueContainer())
    }

    private init(_ single: any SingleValueDecodingContainer) throws {
        if single.decodeNil() {
            self = .null
        } else if let bool = try? single.decode(Bool.self) {
            self = .bool(bool)
        } else if let whole = try? single.decode(Int64.self) {
            self = .number(JSONNumber(whole))
        } else if let large = try? single.decode(UInt64.self) {
            self = .number(JSONNumber(large))
        } else if let number = try? single.decode(Double.self) {
            self = .number(JSONNumber(number))
        } else {
            self = .string(try single.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object): try object.encode(to: encoder)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .string(let string):
            var container = encoder.singleValueContainer()
            try container.encode(string)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try number.encode(to: &container)
        }
    }
}

extension JSONObject: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.container(keyedBy: JSONKey.self))
    }

    fileprivate init(_ container: KeyedDecodingContainer<JSONKey>) throws {
        self.init(
            members: try container.allKeys.map {
                Member(key: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0))
            })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for member in self { try container.encode(member.value, forKey: JSONKey(stringValue: member.key)) }
    }
}

extension JSONNumber {
    fileprivate func encode(to container: inout any SingleValueEncodingContainer) throws {
        if isWhole, let int64 {
            try container.encode(int64)
        } else if isWhole, let uint64 {
            try container.encode(uint64)
        } else {
            try container.encode(double)
        }
    }
}

private struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
