import BLIPTransport
import Synchronization

/// The sync connections that are open, by database, so that those can be dropped whose database changes under them.
///
/// A client takes a connection that ends without a goodbye as a reason to come back, and then finds the new state.
package final class SyncConnections: Sendable {
    private let open = Mutex<[String: [ObjectIdentifier: BLIPConnection]]>([:])

    func add(_ connection: BLIPConnection, to database: String) {
        open.withLock { $0[database, default: [:]][ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: BLIPConnection, from database: String) {
        open.withLock { open in
            open[database]?[ObjectIdentifier(connection)] = nil
            if open[database]?.isEmpty == true { open[database] = nil }
        }
    }

    func drop(_ database: String) {
        let connections = open.withLock { $0[database].map { Array($0.values) } ?? [] }
        for connection in connections { connection.abort() }
    }
}
