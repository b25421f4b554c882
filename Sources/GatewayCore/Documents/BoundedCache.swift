import Synchronization

/// Entries that were used lately, limited in bytes; those that were not inserted or read for the longest time are removed
/// first.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        var value: Value
        var bytes: Int
    }

    private struct State: Sendable {
        var entries = UsageOrder<Entry>()
        var slots: [Key: UsageOrder<Entry>.Slot] = [:]
        var bytes = 0

        mutating func remove(_ slot: UsageOrder<Entry>.Slot) {
            let entry = entries.remove(slot)
            slots[entry.key] = nil
            bytes -= entry.bytes
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    init(bytes limit: Int) { self.limit = limit }

    /// The bytes of an entry in addition to its content.
    private static var overhead: Int { 300 }

    /// Does not insert a value for which many others would have to be removed.
    func insert(_ value: Value, for key: Key, bytes: Int) {
        guard bytes <= limit / 8 else { return }
        let entry = Entry(key: key, value: value, bytes: bytes + Self.overhead)
        state.withLock { state in
            if let slot = state.slots[key] { state.remove(slot) }
            state.slots[key] = state.entries.insert(entry)
            state.bytes += entry.bytes
            while state.bytes > limit, let oldest = state.entries.oldest { state.remove(oldest) }
        }
    }

    subscript(key: Key) -> Value? {
        state.withLock { state in
            guard let slot = state.slots[key] else { return nil }
            state.entries.use(slot)
            return state.entries[slot].value
        }
    }

    var count: Int { state.withLock { $0.slots.count } }

    func removeAll(where isGone: (Key) -> Bool) {
        state.withLock { state in
            for (key, slot) in state.slots where isGone(key) { state.remove(slot) }
        }
    }
}
