import BLIPTransport
import GatewayCore
import Synchronization

/// The open sync connections, by database, so that they can be dropped when their database changes.
///
/// They are closed with a code that makes clients reconnect; then they find the new state.
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
        for connection in connections { connection.sendAway(SessionRevocation.databaseChanged.reason) }
    }
}

extension BLIPConnection {
    /// Ends the connection so that its client tries again: clients may take an end without this code, or with the one
    /// for a stopping server, as final.
    func sendAway(_ reason: String) { close(code: WebSocketCloseCode.transientApplicationError, reason: reason) }
}
