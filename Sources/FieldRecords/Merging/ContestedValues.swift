import DocumentValues

/// The member `conflicts` of a record: the values among which a person has to decide.
///
/// For each field it has every value that was given, the current one among them. It cannot grow by itself: the same
/// value of the same field is in it once, so it is never longer than all typed values that are undecided.
struct ContestedValues: Sendable {
    static let member = "conflicts"

    /// An element that this version cannot read is kept as it is.
    private enum Entry: Sendable {
        case value(ContestedValue)
        case foreign(JSONValue)

        init(_ element: JSONValue) { self = ContestedValue(element).map { .value($0) } ?? .foreign(element) }

        var json: JSONValue {
            switch self {
            case .value(let value): .object(value.object)
            case .foreign(let element): element
            }
        }

        var identity: [UInt8] {
            switch self {
            case .value(let value): value.identity
            case .foreign(let element): [1] + ValueOrder.key(element)
            }
        }

        var value: ContestedValue? {
            guard case .value(let value) = self else { return nil }
            return value
        }
    }

    private var entries: [[UInt8]: Entry] = [:]

    init() {}

    init(of object: JSONObject) {
        switch object[Self.member] {
        case nil, .null?: break
        case .array(let elements)?: for element in elements { insert(Entry(element)) }
        case let other?: insert(.foreign(other))
        }
    }

    /// Puts the entries in their member, in an order that is the same everywhere.
    func write(to object: inout JSONObject) {
        let sorted = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value.json)
        object[Self.member] = sorted.unlessEmpty
    }

    var isEmpty: Bool { entries.isEmpty }

    /// In an order that is the same everywhere.
    var values: [ContestedValue] {
        entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap(\.value.value)
    }

    /// Whether everything is to be decided that another version asks about; by whom and when does not count.
    func asksAll(of other: ContestedValues) -> Bool { other.entries.keys.allSatisfy { entries[$0] != nil } }

    var hasDeletion: Bool { entries[ContestedValue.deletionIdentity] != nil }

    /// The values of each field, in the order of `values`.
    var fields: [FieldPath: [ContestedValue]] {
        var fields: [FieldPath: [ContestedValue]] = [:]
        for value in values {
            if case .field(let path) = value.subject { fields[path, default: []].append(value) }
        }
        return fields
    }

    func stamp(of value: JSONValue?, at path: FieldPath) -> VersionStamp? {
        entries[ContestedValue.identity(of: path, value)]?.value?.stamp
    }

    mutating func insert(_ value: ContestedValue) { insert(.value(value)) }

    private mutating func insert(_ entry: Entry) {
        guard let present = entries[entry.identity] else { return entries[entry.identity] = entry }
        entries[entry.identity] = Self.greater(present, and: entry)
    }

    /// Forgets everything about these fields, which have been decided.
    mutating func remove(_ paths: Set<FieldPath>) { remove { paths.contains($0) } }

    private mutating func remove(where isDecided: (FieldPath) -> Bool) {
        entries = entries.filter { _, entry in
            guard case .field(let path)? = entry.value?.subject else { return true }
            return !isDecided(path)
        }
    }

    /// Forgets the conflicts of photos that a person has removed after seeing these conflicts.
    mutating func removeItems(before: JSONObject, after: JSONObject) {
        let items = openItems
        guard !items.isEmpty else { return }
        let tree = FieldTree(Dictionary(uniqueKeysWithValues: items.map { ($0, ()) }))
        let (old, new) = (tree.read(before), tree.read(after))
        let gone = Set(old.keys).subtracting(new.keys)
        remove { gone.contains($0.item ?? $0) }
    }

    /// The items of lists about which, or about whose members, something is to be decided.
    var openItems: Set<FieldPath> { Set(fields.keys.compactMap { $0.isItem ? $0 : $0.item }) }

    /// The present values of the undecided fields, in the form of entries.
    static func present<Value>(_ fields: [FieldPath: Value], in object: JSONObject) -> [FieldPath: JSONValue] {
        var present: [FieldPath: JSONValue] = [:]
        for (path, value) in FieldTree(fields).read(object) { present[path] = path.contestable(value) }
        return present
    }

    mutating func removeDeletion() { entries[ContestedValue.deletionIdentity] = nil }

    private static func greater(_ left: Entry, and right: Entry) -> Entry {
        let keys = (ValueOrder.key(left.json), ValueOrder.key(right.json))
        return ValueOrder.isShorterOrEarlier(keys.0, than: keys.1) ? right : left
    }

    // MARK: Merging

    /// The entries that both still have, and those that either has added. An entry that was in the base and is gone on
    /// one side has been decided there; without a base that cannot be known, and every entry stays. If the other side
    /// has the value from another person, or from another time, it was given again without knowledge of the decision,
    /// and stays, too.
    static func merge(base: ContestedValues?, _ a: ContestedValues, with b: ContestedValues) -> ContestedValues {
        var merged = ContestedValues()
        for (identity, entry) in a.entries {
            if let other = b.entries[identity] {
                merged.entries[identity] = greater(entry, and: other)
            } else if isNew(entry, since: base) {
                merged.entries[identity] = entry
            }
        }
        for (identity, entry) in b.entries where a.entries[identity] == nil && isNew(entry, since: base) {
            merged.entries[identity] = entry
        }
        return merged
    }

    private static func isNew(_ entry: Entry, since base: ContestedValues?) -> Bool {
        guard let old = base?.entries[entry.identity] else { return true }
        return ValueOrder.key(old.json) != ValueOrder.key(entry.json)
    }

    /// Fields for which there is a value that was not there before, or was given again.
    func fieldsAskedAgain(since base: ContestedValues?) -> Set<FieldPath> {
        Set(
            entries.values.compactMap { entry in
                guard case .field(let path)? = entry.value?.subject, Self.isNew(entry, since: base) else { return nil }
                return path
            })
    }

    /// Forgets the fields whose only value left is the current one.
    mutating func dropSettled(in object: JSONObject) {
        let fields = fields
        let present = Self.present(fields, in: object)
        let settled = fields.filter { path, values in
            values.allSatisfy { ValueOrder.isSame($0.value, and: present[path]) }
        }
        if !settled.isEmpty { remove(Set(settled.keys)) }
    }
}

extension ContestedValues {
    /// The entries after a person has changed the record: a value that they saw and replaced is no longer asked about.
    static func afterEdit(from before: JSONObject, to after: JSONObject) -> ContestedValues {
        var contested = ContestedValues(of: after)
        let fields = contested.fields
        guard !fields.isEmpty else { return contested }
        let (old, new) = (present(fields, in: before), present(fields, in: after))
        for (path, values) in fields where !ValueOrder.isSame(old[path], and: new[path]) {
            for value in values where ValueOrder.isSame(value.value, and: old[path]) {
                contested.entries[value.identity] = nil
            }
        }
        contested.removeItems(before: before, after: after)
        contested.dropSettled(in: after)
        return contested
    }
}
