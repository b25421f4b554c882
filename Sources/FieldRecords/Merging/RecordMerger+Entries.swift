import DocumentValues
import FieldModels

/// Lists to which people add, such as the history of a filled form.
extension RecordMerger {
    /// What either side has, without what one of both has removed since, by the moments of the entries; a list of the other
    /// kind is merged as one value.
    static func mergeEntries(_ field: MergedField) -> JSONValue? {
        guard let base = entries(field.base), let a = entries(field.a), let b = entries(field.b) else {
            return field.quietly
        }
        let known = Set(base.map(\.key))
        let (left, right) = (Set(a.map(\.key)), Set(b.map(\.key)))
        var seen: Set<[UInt8]> = []
        let merged = (a + b).filter { entry in
            let isKept = known.contains(entry.key) ? left.contains(entry.key) && right.contains(entry.key) : true
            return isKept && seen.insert(entry.key).inserted
        }
        let sorted = merged.sorted {
            ($0.moment, $0.key).0 == ($1.moment, $1.key).0
                ? $0.key.lexicographicallyPrecedes($1.key) : $0.moment.lexicographicallyPrecedes($1.moment)
        }
        return sorted.map(\.value).unlessEmpty
    }

    private typealias Entry = (moment: [UInt8], key: [UInt8], value: JSONValue)

    private static func entries(_ value: JSONValue?) -> [Entry]? {
        switch value {
        case nil, .null?: []
        case .array(let elements)?: elements.map { (ValueOrder.key($0["at"] ?? $0["start"]), ValueOrder.key($0), $0) }
        case .bool?, .number?, .string?, .object?: nil
        }
    }
}
