import BLIPTransport
import GatewayCore
import Synchronization

/// The sync connections that are open, by database, so that those can be dropped whose database changes under them.
///
/// They are closed with a code that clients take as a reason to come back; then they find the new state.
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
    /// Ends the connection so that its client tries again: an end without this code, or with the one for servers that
    /// stop, can be taken as final.
    func sendAway(_ reason: String) { close(code: WebSocketCloseCode.transientApplicationError, reason: reason) }
}
