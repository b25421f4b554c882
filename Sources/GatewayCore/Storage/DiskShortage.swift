import Synchronization

/// Reserves that are lent on a full disk, or that have not got their space back. Until then, other writes would take that
/// space: so in all databases of the gateway only those writes are allowed for which the reserves are kept. The debt of a
/// reserve ends with its store.
package final class DiskShortage: Sendable {
    private let short = Mutex<Set<ObjectIdentifier>>([])

    package init() {}

    var isAny: Bool { short.withLock { !$0.isEmpty } }

    func note(_ reserve: AnyObject, isShort: Bool) {
        let id = ObjectIdentifier(reserve)
        short.withLock { short in
            if isShort { short.insert(id) } else { short.remove(id) }
        }
    }
}
