import DocumentValues
import Synchronization

/// Reserves that are lent on a full disk, or have not got back what was lent. Until they have, nobody but those whom they are for
/// writes anything, in any database of the gateway: it would take their space.
package final class DiskShortage: Sendable {
    private let short = Mutex<Set<Name>>([])

    package init() {}

    var isAny: Bool { short.withLock { !$0.isEmpty } }

    /// - Parameter store: which it is: the path of its file.
    func note(_ store: String, isShort: Bool) {
        short.withLock { short in
            if isShort { short.insert(Name(store)) } else { short.remove(Name(store)) }
        }
    }
}
