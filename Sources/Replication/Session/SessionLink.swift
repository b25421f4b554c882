import BLIPProtocol
import BLIPTransport

/// The connection of a session: a socket, or a direct link to another database of this process.
protocol SessionLink: AnyObject, Sendable {
    func send(_ batch: [BLIPOutgoing])
    /// Returns at once; messages that are already on their way may still be delivered.
    func pauseReading()
    /// Returns at once: waiting messages are delivered later, not within this call.
    func resumeReading()
    /// Finds out whether the other end is still there.
    func check()
    func close(code: UInt16, reason: String)
    func abort()
}

extension BLIPConnection: SessionLink {}

/// One end of a link. Both calls must be quick: the work is done on a queue of the end's own.
protocol SessionLinkEnd: AnyObject, Sendable {
    func received(_ incoming: [BLIPIncoming], over link: any SessionLink)
    /// Exactly once, and the last call.
    func closed(_ reason: BLIPCloseReason)
}

/// The passive side of a replication within this process.
protocol SessionPeer: AnyObject, Sendable {
    func connect(_ active: any SessionLinkEnd) -> any SessionLink
}

/// The target of a session.
enum SessionTarget: Sendable {
    case gateway(BLIPClientConfiguration)
    case database(any SessionPeer)
}
