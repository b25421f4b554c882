import BLIPProtocol

/// Receives the events of a connection.
///
/// Both calls come on the connection's event loop and must be quick: hand over to a queue of your own.
public protocol BLIPConnectionDelegate: AnyObject, Sendable {
    /// The events of one read of the socket, or of one round of writing; in order.
    func connection(_ connection: BLIPConnection, received: [BLIPIncoming])

    /// Exactly once, and the last call. Requests that have no reply by now get none.
    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason)
}
