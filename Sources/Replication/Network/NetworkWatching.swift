import BLIPTransport
import DocumentStore
import NIOCore

/// What a change of the machine's network may mean; none says anything about the gateway.
package enum NetworkChange: Sendable, Hashable {
    /// It may have come back: anybody who waits for it tries, and waits on if it is in vain.
    case better
    /// A link, an address or a route is gone: a connection may be dead without knowing.
    case worse
}

/// Reports when the machine's network has changed.
package protocol NetworkWatching: Sendable {
    /// - Parameters:
    ///   - notify: is called on a queue of the watcher's own, until the token is removed.
    /// - Throws: when the system does not let us know; waiting then ends by the clock alone.
    func watch(_ notify: @escaping @Sendable (NetworkChange) -> Void) throws -> ListenerToken
}

/// What a replicator needs of the world around it, and a test replaces.
struct ReplicatorEnvironment: Sendable {
    var network: any NetworkWatching = RouteWatcher()
    /// Seconds before the second attempt.
    var firstWait = ReplicationLimits.firstWait
    var connectTimeout = TransportLimits.connectTimeout
    /// `nil`: what goes with the heartbeat.
    var pongTimeout: TimeAmount?
    var silence = SilenceLimits()
    /// Seconds that a status waits for listeners which have not got all documents yet.
    var listenerTime = ReplicationLimits.listenerTime
}
