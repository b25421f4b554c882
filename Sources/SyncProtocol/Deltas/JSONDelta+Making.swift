import DocumentValues

extension JSONDelta {
    /// The difference that turns `old` into `new`; empty if they are equal. The order of members does not count.
    package static func difference(from old: JSONObject, to new: JSONObject) -> JSONObject {
        difference(from: old, to: new, level: 0)
    }

    private static func difference(from old: JSONObject, to new: JSONObject, level: Int) -> JSONObject {
        let before = old.byKey
        var changes: [JSONObject.Member] = []
        for member in new.members {
            if let change = change(from: before[Name(member.key)], to: member.value, level: level + 1) {
                changes.append(JSONObject.Member(key: member.key, value: change))
            }
        }
        let after = Set(new.members.map { Name($0.key) })
        for member in old.members where !after.contains(Name(member.key)) {
            changes.append(JSONObject.Member(key: member.key, value: []))
        }
        return JSONObject(members: changes)
    }

    /// `nil` if both are the same.
    private static func change(from old: JSONValue?, to new: JSONValue, level: Int) -> JSONValue? {
        switch (old, new) {
        // Compares the bytes, since equal values may be spelled differently.
        case (let old?, let new) where level == deepest: return old.bytes == new.bytes ? nil : [new]
        case (.object(let old), .object(let new)):
            let inner = difference(from: old, to: new, level: level)
            return inner.isEmpty ? nil : .object(inner)
        case (.array(let old), .array(let new)): return change(from: old, to: new, level: level)
        case (.string(let old), .string(let new)):
            if old.isExactly(new) { return nil }
            guard let patch = TextPatch.make(from: old, to: new) else { return .string(new) }
            return [.string(patch), 0, .int(Marker.text)]
        case (.null, .null): return nil
        case (.bool(let old), .bool(let new)) where old == new: return nil
        case (.number(let old), .number(let new)) where old.text == new.text: return nil
        case (_, .array), (_, .object): return [new]
        case (_, .null), (_, .bool), (_, .number), (_, .string): return new
        }
    }

    /// Compares element by element: a moved or inserted element changes all that follow.
    private static func change(from old: [JSONValue], to new: [JSONValue], level: Int) -> JSONValue? {
        guard !old.isEmpty, !new.isEmpty else { return old.count == new.count ? nil : [.array(new)] }
        var changes: [JSONObject.Member] = []
        for (index, pair) in zip(old, new).enumerated() {
            if let change = change(from: pair.0, to: pair.1, level: level + 1) {
                changes.append(JSONObject.Member(key: String(index), value: change))
            }
        }
        if old.count != new.count {
            let shared = min(old.count, new.count)
            changes.append(JSONObject.Member(key: "\(shared)-", value: .array(Array(new[shared...]))))
        }
        return changes.isEmpty ? nil : .object(JSONObject(members: changes))
    }
}
