import Synchronization

/// Reserves that are lent on a full disk, or have not got back what was lent. Until they have, nobody but those whom they are
/// for writes anything, in any database of the gateway: it would take their space. The debt ends with the store.
package final class DiskShortage: Sendable {
    private let short = Mutex<Set<ObjectIdentifier>>([])

    package init() {}

    var isAny: Bool { short.withLock { !$0.isEmpty } }

    func note(_ reserve: StoreReserve, isShort: Bool) {
        let id = ObjectIdentifier(reserve)
        short.withLock { short in
            if isShort { short.insert(id) } else { short.remove(id) }
        }
    }
}
