import DocumentValues

/// Values by the paths of their fields, for reading or writing many fields of a record in one walk through it.
struct FieldTree<Value> {
    private var value: Value?
    private var children: [Name: FieldTree] = [:]

    private init() {}

    init(_ values: [FieldPath: Value]) {
        for (path, value) in values { insert(value, at: path.components[...]) }
    }

    private mutating func insert(_ new: Value, at path: ArraySlice<Name>) {
        guard let first = path.first else { return value = new }
        children[first, default: FieldTree()].insert(new, at: path.dropFirst())
    }

    // MARK: Reading

    /// The values of these fields in a record; no entry for a field that is missing, or `null`.
    func read(_ object: JSONObject) -> [FieldPath: JSONValue] {
        var found: [FieldPath: JSONValue] = [:]
        read(.object(object), at: [], into: &found)
        return found
    }

    private func read(_ value: JSONValue, at path: [Name], into found: inout [FieldPath: JSONValue]) {
        if self.value != nil, !path.isEmpty, !value.isNull { found[FieldPath(components: path)] = value }
        guard !children.isEmpty else { return }
        switch value {
        case .object(let object):
            for member in object { read(member.value, key: Name(member.key), path: path, found: &found) }
        case .array(let items):
            for (key, item) in zip(ItemKeys(items).keys, items) { read(item, key: key, path: path, found: &found) }
        case .null, .bool, .number, .string: break
        }
    }

    private func read(
        _ value: JSONValue, key: Name, path: [Name], found: inout [FieldPath: JSONValue]
    ) {
        children[key]?.read(value, at: path + [key], into: &found)
    }
}

extension FieldTree where Value == JSONValue {
    // MARK: Writing

    /// The record with these values in its fields; `null` removes one. Objects that a path leads through are made,
    /// items of lists are not.
    func written(to object: JSONObject) -> JSONObject {
        var members: [JSONObject.Member] = []
        var missing = children
        for var member in object {
            if let child = missing.removeValue(forKey: Name(member.key)) {
                guard let changed = child.written(over: member.value) else { continue }
                member.value = changed
            }
            members.append(member)
        }
        for (key, child) in missing.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
            if let made = child.written(over: nil) { members.append(JSONObject.Member(key: key.text, value: made)) }
        }
        return JSONObject(members: members)
    }

    private func written(over present: JSONValue?) -> JSONValue? {
        if let value { return ValueOrder.present(value) }
        switch present {
        case .array(let items)?:
            return .array(
                zip(ItemKeys(items).keys, items).compactMap { key, item in
                    guard let child = children[key] else { return item }
                    return child.written(over: item)
                })
        case .object(let object)?: return .object(written(to: object))
        case .null?, .bool?, .number?, .string?, nil:
            let made = written(to: JSONObject())
            return made.isEmpty ? present : .object(made)
        }
    }
}

extension FieldPath {
    /// The value there; `nil` for none and for `null`, which are the same to a record.
    public func read(_ object: JSONObject) -> JSONValue? { FieldTree([self: ()]).read(object)[self] }

    /// The second version with the first one's value of this field.
    public func copied(from source: JSONObject, to target: JSONObject) -> JSONObject {
        FieldTree([self: read(source) ?? .null]).written(to: target)
    }

    /// The value to which the first so many names of the path lead.
    public func read(_ object: JSONObject, levels: Int) -> JSONValue? {
        guard levels > 0 else { return .object(object) }
        return FieldPath(components: Array(components.prefix(levels))).read(object)
    }
}
