import BLIPTransport
import DocumentStore
import NIOCore

/// The possible meaning of a change of the machine's network; it shows nothing about the gateway.
package enum NetworkChange: Sendable, Hashable {
    /// The network may be back: a replicator that waits for it makes an attempt, and waits on if that fails.
    case better
    /// A link, an address or a route is gone: a connection may be dead although the socket does not show it.
    case worse
}

/// Reports when the machine's network has changed.
package protocol NetworkWatching: Sendable {
    /// - Parameters:
    ///   - notify: called on a queue of the watcher's own, until the token is removed.
    /// - Throws: if the system does not report changes; then waits end by the clock only.
    func watch(_ notify: @escaping @Sendable (NetworkChange) -> Void) throws -> ListenerToken
}

/// The outside dependencies of a replicator, which tests replace.
struct ReplicatorEnvironment: Sendable {
    var network: any NetworkWatching = RouteWatcher()
    /// Seconds before the second attempt.
    var firstWait = ReplicationLimits.firstWait
    var connectTimeout = TransportLimits.connectTimeout
    /// `nil` for the one that fits the heartbeat.
    var pongTimeout: TimeAmount?
    var silence = SilenceLimits()
    /// Seconds for which a status waits for listeners that have not got all documents yet.
    var listenerTime = ReplicationLimits.listenerTime
}
