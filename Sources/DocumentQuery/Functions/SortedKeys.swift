/// Of all keys that were inserted, those that come first, up to a number. The last one of them is known at any time.
struct SortedKeys: Sendable {
    let isDescending: Bool
    /// A heap: the key at index `i` comes behind those at `2 * i + 1` and `2 * i + 2`, so the one at 0 comes behind all others.
    private var keys: [SortKey] = []

    init(isDescending: Bool) { self.isDescending = isDescending }

    var count: Int { keys.count }
    var last: SortKey? { keys.first }

    /// - Parameter limit: of how many keys there may be; the last one goes then.
    mutating func insert(_ key: SortKey, limit: Int) {
        if keys.count < limit {
            keys.append(key)
            raise(from: keys.count - 1)
        } else if let last, key.comes(before: last, isDescending: isDescending) {
            keys[0] = key
            lower()
        }
    }

    private func isKey(_ index: Int, behind other: Int) -> Bool {
        keys[other].comes(before: keys[index], isDescending: isDescending)
    }

    private mutating func raise(from start: Int) {
        var index = start
        while index > 0, isKey(index, behind: (index - 1) / 2) {
            keys.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func lower() {
        var index = 0
        while 2 * index + 1 < keys.count {
            var next = 2 * index + 1
            if next + 1 < keys.count, isKey(next + 1, behind: next) { next += 1 }
            guard isKey(next, behind: index) else { return }
            keys.swapAt(index, next)
            index = next
        }
    }
}
