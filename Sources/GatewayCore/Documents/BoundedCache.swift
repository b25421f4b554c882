import Synchronization

/// Entries that were used lately, limited in bytes; the oldest are removed first.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: (value: Value, bytes: Int)] = [:]
        var order: [Key] = []
        /// Keys in `order` before this index are gone already.
        var first = 0
        var bytes = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    init(bytes limit: Int) { self.limit = limit }

    /// The bytes of an entry in addition to its content.
    private static var overhead: Int { 300 }

    /// Does not insert a value for which many others would have to be removed.
    func insert(_ value: Value, for key: Key, bytes: Int) {
        guard bytes <= limit / 8 else { return }
        let bytes = bytes + Self.overhead
        state.withLock { state in
            if let old = state.values.updateValue((value, bytes), forKey: key) {
                state.bytes += bytes - old.bytes
                return
            }
            state.order.append(key)
            state.bytes += bytes
            while state.bytes > limit, state.first < state.order.count {
                let oldest = state.order[state.first]
                state.first += 1
                if let removed = state.values.removeValue(forKey: oldest) { state.bytes -= removed.bytes }
            }
            if state.first > 1_000, state.first > state.order.count / 2 {
                state.order.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    subscript(key: Key) -> Value? { state.withLock { $0.values[key]?.value } }

    var count: Int { state.withLock { $0.values.count } }

    func removeAll(where isGone: (Key) -> Bool) {
        state.withLock { state in
            for (key, entry) in state.values where isGone(key) {
                state.values[key] = nil
                state.bytes -= entry.bytes
            }
            state.order = state.order.dropFirst(state.first).filter { state.values[$0] != nil }
            state.first = 0
        }
    }
}
