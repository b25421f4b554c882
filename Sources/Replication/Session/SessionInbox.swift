import BLIPProtocol
import BLIPTransport
import NIOCore
import Synchronization

/// Where the connection puts what it received, until the session's queue gets to it.
///
/// The event loop does not wait for the session, and the session takes all that has gathered in one go: batches grow
/// with the load. A session that cannot keep up stops the socket.
final class SessionInbox: Sendable {
    private struct State {
        var messages: [BLIPIncoming] = []
        /// What `messages` take.
        var bytes = 0
        var isScheduled = false
        var demand = ReadingDemand(limit: ReplicationLimits.inboxBytes)
    }

    private let state = Mutex(State())

    /// - Returns: whether the queue has to be notified.
    func put(_ received: [BLIPIncoming], from link: any SessionLink) -> Bool {
        let bytes = received.reduce(0) { $0 + $1.waitingBytes }
        return state.withLock { state in
            state.messages += received
            state.bytes += bytes
            if let change = state.demand.put(bytes) { link.apply(change) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// - Returns: what has come, and the bytes of it that are to be taken off by `worked(off:for:)`.
    func takeAll() -> (messages: [BLIPIncoming], bytes: Int) {
        state.withLock { state in
            state.isScheduled = false
            defer { (state.messages, state.bytes) = ([], 0) }
            return (state.messages, state.bytes)
        }
    }

    /// So many bytes of what was taken are no longer held.
    func worked(off bytes: Int, for link: (any SessionLink)?) {
        state.withLock { state in
            guard let change = state.demand.take(bytes) else { return }
            link?.apply(change)
        }
    }
}

extension SessionLink {
    /// Called under a lock, so that changes come in their order: it must not hand anything over before it returns.
    fileprivate func apply(_ change: ReadingDemand.Change) {
        switch change {
        case .pause: pauseReading()
        case .resume: resumeReading()
        }
    }
}

extension BLIPIncoming {
    /// Not merely news of what this side has sent.
    var isFromPeer: Bool {
        switch self {
        case .request, .response, .responsePart, .failure: true
        case .sent: false
        }
    }
}
