import DocumentValues

/// Lists whose items are added, changed and removed each by itself.
extension RecordMerger {
    mutating func mergeItems(_ field: MergedField) -> JSONValue? {
        guard let base = Self.items(field.base), let a = Self.items(field.a), let b = Self.items(field.b) else {
            return settle(field)
        }
        let (before, left, right) = (Self.byKey(base), Self.byKey(a), Self.byKey(b))
        let known = ItemKeys(base).keys
        let new = Set(left.keys).union(right.keys).subtracting(known)
        var merged: [JSONValue] = []
        for key in known + Self.sorted(new, left, right) {
            let item = MergedField(
                path: field.path.appending(key.text), base: before[key], a: left[key], b: right[key])
            if let value = mergeItem(item) { merged.append(value) }
        }
        if merged.isEmpty, field.a == nil || field.b == nil { return Optional.none }
        return .array(merged)
    }

    private mutating func mergeItem(_ item: MergedField) -> JSONValue? {
        switch (item.a, item.b) {
        case (let a?, let b?): return mergePresent(item, a, b)
        case (let kept?, nil), (nil, let kept?):
            // Added here, or removed there. What was changed since is not removed, nor what an approval has seen.
            let isRemovedFromApproved = item.a == nil ? approval == .b : approval == .a
            let isKept = item.base == nil || !ValueOrder.isSame(kept, item.base) || isRemovedFromApproved
            return isKept ? Optional.some(kept) : Optional.none
        case (nil, nil): return nil
        }
    }

    /// A photo on both sides: its caption is somebody's words, the rest is not.
    private mutating func mergePresent(_ item: MergedField, _ a: JSONValue, _ b: JSONValue) -> JSONValue? {
        guard a.objectValue != nil, b.objectValue != nil, let members = item.members else { return item.quietly }
        var merged: [JSONObject.Member] = []
        for member in members {
            let isQuiet = Self.quietNames.contains(Name(member.path.lastName))
            if let value = isQuiet ? member.quietly : settle(member) {
                merged.append(JSONObject.Member(key: member.path.lastName, value: value))
            }
        }
        return .object(JSONObject(members: merged))
    }

    private static let quietNames: Set<Name> = ["name", "takenAt", "attachedAt", "blob"]

    /// `nil` for what is no list; a missing one has no items.
    private static func items(_ value: JSONValue?) -> [JSONValue]? {
        switch value {
        case nil, .null?: []
        case .array(let items)?: items
        case .bool?, .number?, .string?, .object?: nil
        }
    }

    private static func byKey(_ items: [JSONValue]) -> [Name: JSONValue] {
        Dictionary(zip(ItemKeys(items).keys, items), uniquingKeysWith: { $1 })
    }

    /// New items by when they were taken, as far as that is known, then by their keys.
    private static func sorted(
        _ keys: Set<Name>, _ a: [Name: JSONValue], _ b: [Name: JSONValue]
    ) -> [Name] {
        func moment(_ key: Name) -> [UInt8] {
            let moments = [a[key], b[key]].map { ValueOrder.key($0?["takenAt"]) }
            return moments[0].lexicographicallyPrecedes(moments[1]) ? moments[1] : moments[0]
        }
        return keys.map { (key: $0, moment: moment($0)) }.sorted { left, right in
            left.moment == right.moment
                ? left.key.text.utf8.lexicographicallyPrecedes(right.key.text.utf8)
                : left.moment.lexicographicallyPrecedes(right.moment)
        }.map(\.key)
    }
}
