import BLIPTransport
import DocumentStore
import NIOCore

/// Tells when the machine's network may have come back.
///
/// It says nothing about the gateway: who waits for that tries to connect, and waits on if it is in vain.
package protocol NetworkWatching: Sendable {
    /// - Parameters:
    ///   - notify: is called on a queue of the watcher's own, until the token is removed.
    /// - Throws: when the system does not let us know; waiting then ends by the clock alone.
    func watch(_ notify: @escaping @Sendable () -> Void) throws -> ListenerToken
}

/// What a replicator needs of the world around it, and a test replaces.
struct ReplicatorSurroundings: Sendable {
    var network: any NetworkWatching = RouteWatcher()
    /// Seconds before the second attempt.
    var firstWait = ReplicationLimits.firstWait
    var connectTimeout = TransportLimits.connectTimeout
    /// `nil`: what goes with the heartbeat.
    var pongTimeout: TimeAmount?
}
