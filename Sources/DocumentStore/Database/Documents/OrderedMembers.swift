import DocumentValues

/// Members in the order in which they came. Each is found, set and removed without a look at the others.
struct OrderedMembers {
    private struct Entry {
        let position: Int
        var value: NodeValue
    }

    /// `nil` where one was removed.
    private var order: [String?] = []
    private var entries: [Name: Entry] = [:]

    /// - Parameter members: if two have one name, the later value counts.
    init(_ members: some Sequence<(key: String, value: NodeValue)> = []) {
        for (key, value) in members { set(value, forKey: key) }
    }

    var keys: [String] { order.compactMap(\.self) }

    var all: [(key: String, value: NodeValue)] {
        order.compactMap { key in key.flatMap { key in entries[Name(key)].map { (key, $0.value) } } }
    }

    subscript(key: String) -> NodeValue? { entries[Name(key)]?.value }

    mutating func set(_ value: NodeValue, forKey key: String) {
        let name = Name(key)
        if entries[name] != nil {
            entries[name]?.value = value
        } else {
            entries[name] = Entry(position: order.count, value: value)
            order.append(key)
        }
    }

    mutating func remove(_ key: String) {
        guard let entry = entries.removeValue(forKey: Name(key)) else { return }
        order[entry.position] = nil
        if order.count > 2 * entries.count { self = OrderedMembers(all) }
    }
}
