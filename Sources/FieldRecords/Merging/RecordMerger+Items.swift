import DocumentValues
import FieldModels

/// Lists whose items are added, changed and removed each by itself.
extension RecordMerger {
    mutating func mergeItems(_ field: MergedField) -> JSONValue? {
        guard let base = Self.items(field.base), let a = Self.items(field.a), let b = Self.items(field.b) else {
            return settle(field)
        }
        let (before, left, right) = (Self.byKey(base), Self.byKey(a), Self.byKey(b))
        let known = ItemKeys(base).keys
        let new = Set(left.keys).union(right.keys).subtracting(known)
        let open = contested.openItems
        var merged: [JSONValue] = []
        for key in known + Self.sorted(new, a: left, b: right) {
            let item = MergedField(
                path: field.path.appending(key.text), base: before[key], a: left[key], b: right[key])
            if let value = mergeItem(item, isOpen: open.contains(item.path)) { merged.append(value) }
        }
        if merged.isEmpty, field.a == nil || field.b == nil { return nil }
        return .array(merged)
    }

    /// - Parameter isOpen: whether something is to be decided about it.
    private mutating func mergeItem(_ item: MergedField, isOpen: Bool) -> JSONValue? {
        switch (item.a, item.b) {
        case (let a?, let b?): mergePresent(item, a: a, b: b)
        case (.some, nil): mergeRemoved(item, keptBy: .a, isOpen: isOpen)
        case (nil, .some): mergeRemoved(item, keptBy: .b, isOpen: isOpen)
        case (nil, nil): nil
        }
    }

    /// Added on one side, or removed on the other. An item that the other side changed, handed in or approved stays. A
    /// removed photo is still to be decided then: there may be a reason why no one should see it.
    private mutating func mergeRemoved(
        _ item: MergedField, keptBy side: MergeSide.Letter, isOpen: Bool
    ) -> JSONValue? {
        let kept = item[side]
        guard item.base != nil else { return kept }
        let isKept = isOpen || choices.approval == side || versions.hasChanged(item, side: side)
        guard isKept || (item.path.isItem && isHandedIn(on: side)) else { return nil }
        return item.path.isItem ? contest(item, winner: side) : kept
    }

    /// Whether this side submitted the inspection since the base, with its photos: the gateway lets only supervisors remove
    /// photos from another user's submitted inspection.
    private func isHandedIn(on side: MergeSide.Letter) -> Bool {
        guard versions.kind == .inspection, let base = versions.base else { return false }
        let submitted = JSONValue.string(Inspection.Status.submitted.rawValue)
        return base.object["status"] != submitted && versions[side].object["status"] == submitted
    }

    /// A photo on both sides: people type its name and its caption, not the rest. Of an approved one all is as it
    /// was approved.
    private mutating func mergePresent(_ item: MergedField, a: JSONValue, b: JSONValue) -> JSONValue? {
        guard a.objectValue != nil, b.objectValue != nil, let members = item.members else { return item.quietly }
        var merged: [JSONObject.Member] = []
        for member in members {
            // A photo that came twice may have got its name from a merge. Otherwise people gave both names.
            let isQuiet =
                Self.quietNames.contains(Name(member.path.lastName))
                || (item.base == nil && member.path.lastName.isExactly("name")
                    && PhotoNames.isMadeUnique((member.a, member.b), of: a))
            if let value = isQuiet ? quietly(member) : settle(member) {
                merged.append(JSONObject.Member(key: member.path.lastName, value: value))
            }
        }
        return .object(JSONObject(members: merged))
    }

    private func quietly(_ member: MergedField) -> JSONValue? {
        guard let approval = choices.approval else { return member.quietly }
        return member[approval]
    }

    private static let quietNames: Set<Name> = ["takenAt", "attachedAt", "blob"]

    /// `nil` for a value that is no list; a missing list has no items.
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

    /// New items by when they were taken, as far as that is known, then by when they were attached, then by their keys.
    private static func sorted(
        _ keys: Set<Name>, a: [Name: JSONValue], b: [Name: JSONValue]
    ) -> [Name] {
        func moment(_ member: String, key: Name) -> [UInt8] {
            let moments = [a[key], b[key]].map { ValueOrder.key($0?[member]) }
            return moments[0].lexicographicallyPrecedes(moments[1]) ? moments[1] : moments[0]
        }
        let moments = keys.map { (key: $0, order: moment("takenAt", key: $0) + [0] + moment("attachedAt", key: $0)) }
        return moments.sorted { left, right in
            left.order == right.order
                ? left.key.text.utf8.lexicographicallyPrecedes(right.key.text.utf8)
                : left.order.lexicographicallyPrecedes(right.order)
        }.map(\.key)
    }
}
