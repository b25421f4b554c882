import DocumentValues

/// Builds a record's JSON in a fixed order, leaving out what is not there.
public struct RecordWriter {
    public private(set) var members: [JSONObject.Member] = []

    public init() {}

    public mutating func set(_ field: String, _ value: JSONValue?) {
        if let value { members.append(JSONObject.Member(key: field, value: value)) }
    }

    public mutating func set(_ field: String, _ text: String?) { set(field, text.map(JSONValue.string)) }

    public mutating func set(_ field: String, _ number: Int?) { set(field, number.map { JSONValue.int($0) }) }

    public mutating func set(_ field: String, _ number: Double?) {
        set(field, number.map { JSONValue.number(JSONNumber($0)) })
    }

    public mutating func set(_ field: String, _ bool: Bool?) { set(field, bool.map(JSONValue.bool)) }

    public mutating func set(_ field: String, spelled value: (some CustomStringConvertible)?) {
        set(field, value.map { JSONValue.string($0.description) })
    }

    public mutating func set(_ field: String, texts: [String]?) {
        set(field, texts.map { JSONValue.array($0.map(JSONValue.string)) })
    }

    public mutating func set(_ field: String, object: JSONObject?) {
        set(field, object.map(JSONValue.object))
    }

    /// Left out when the list is empty.
    public mutating func set(_ field: String, list: [JSONObject]) {
        if !list.isEmpty { set(field, JSONValue.array(list.map(JSONValue.object))) }
    }

    /// Members that no field of the record stands for.
    public mutating func append(_ rest: JSONObject) { members += rest.members }

    public var object: JSONObject { JSONObject(members: members) }
}
