import DocumentValues

/// Builds a record's JSON in a fixed order, leaving out missing values.
public struct RecordWriter {
    public private(set) var members: [JSONObject.Member] = []

    public init() {}

    public mutating func set(_ key: some MemberKey, to value: JSONValue?) {
        if let value { members.append(JSONObject.Member(key: key.rawValue, value: value)) }
    }

    public mutating func set(_ key: some MemberKey, to text: String?) { set(key, to: text.map(JSONValue.string)) }

    public mutating func set(_ key: some MemberKey, to number: Int?) { set(key, to: number.map { JSONValue.int($0) }) }

    public mutating func set(_ key: some MemberKey, to number: Double?) {
        set(key, to: number.map { JSONValue.number(JSONNumber($0)) })
    }

    public mutating func set(_ key: some MemberKey, to bool: Bool?) { set(key, to: bool.map(JSONValue.bool)) }

    public mutating func set(_ key: some MemberKey, spelled value: (some CustomStringConvertible)?) {
        set(key, to: value.map { JSONValue.string($0.description) })
    }

    public mutating func set(_ key: some MemberKey, texts: [String]?) {
        set(key, to: texts.map { JSONValue.array($0.map(JSONValue.string)) })
    }

    public mutating func set(_ key: some MemberKey, object: JSONObject?) {
        set(key, to: object.map(JSONValue.object))
    }

    /// Left out when the list is empty.
    public mutating func set(_ key: some MemberKey, list: [JSONObject]) {
        if !list.isEmpty { set(key, to: JSONValue.array(list.map(JSONValue.object))) }
    }

    /// Members that belong to no field of the record, or that could not be read; those that were set are left out.
    public mutating func append(_ rest: JSONObject) {
        guard !rest.isEmpty else { return }
        let written = Set(members.map { Name($0.key) })
        members += rest.members.filter { !written.contains(Name($0.key)) }
    }

    /// Elements of a list behind those that were set.
    mutating func append(_ elements: [JSONValue], toList field: String) {
        guard !elements.isEmpty else { return }
        let index = members.firstIndex { $0.key.isExactly(field) }
        let before = index.flatMap { members[$0].value.arrayValue } ?? []
        let member = JSONObject.Member(key: field, value: .array(before + elements))
        if let index { members[index] = member } else { members.append(member) }
    }

    public var object: JSONObject { JSONObject(members: members) }
}
