import DocumentValues
import Synchronization

/// Revisions that were replaced lately: a client that was just told of one may still ask for it. Bounded in bytes; the
/// oldest go first.
final class RevisionCache: Sendable {
    struct Key: Sendable, Hashable {
        let collection: Int64
        let id: String
        let revision: RevisionID
    }

    struct Entry: Sendable {
        let isDeleted: Bool
        let body: [UInt8]
        let attachments: JSONObject?
        let channels: Set<String>
        let sequence: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var order: [Key] = []
        /// Keys in `order` before this index are gone already.
        var first = 0
        var size = 0
    }

    private let state = Mutex(State())

    func insert(_ key: Key, _ entry: Entry) {
        guard entry.body.count <= GatewayLimits.revisionCache / 8 else { return }
        state.withLock { state in
            guard state.entries.updateValue(entry, forKey: key) == nil else { return }
            state.order.append(key)
            state.size += Self.size(entry)
            while state.size > GatewayLimits.revisionCache, state.first < state.order.count {
                let oldest = state.order[state.first]
                state.first += 1
                if let removed = state.entries.removeValue(forKey: oldest) { state.size -= Self.size(removed) }
            }
            if state.first > 1_000, state.first > state.order.count / 2 {
                state.order.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    subscript(key: Key) -> Entry? { state.withLock { $0.entries[key] } }

    /// A purged document leaves nothing behind.
    func remove(_ ids: Set<String>, in collection: Int64) {
        state.withLock { state in
            for (key, entry) in state.entries where key.collection == collection && ids.contains(key.id) {
                state.entries[key] = nil
                state.size -= Self.size(entry)
            }
        }
    }

    /// With what the entry costs besides its body.
    private static func size(_ entry: Entry) -> Int { entry.body.count + 300 }
}
