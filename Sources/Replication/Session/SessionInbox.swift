import BLIPProtocol
import BLIPTransport
import NIOCore
import Synchronization

/// Holds the messages that the connection has received, until the session's queue processes them.
///
/// The event loop does not wait for the session, and the session takes all waiting messages at once, so batches grow
/// with the load. If the session cannot keep up, the socket is paused.
final class SessionInbox: Sendable {
    private struct State {
        var messages: [BLIPIncoming] = []
        /// The bytes of `messages`.
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

    /// - Returns: the messages, and their bytes, which have to be given to `worked(off:for:)` when they are processed.
    func takeAll() -> (messages: [BLIPIncoming], bytes: Int) {
        state.withLock { state in
            state.isScheduled = false
            defer { (state.messages, state.bytes) = ([], 0) }
            return (state.messages, state.bytes)
        }
    }

    /// So many bytes of the taken messages are processed.
    func worked(off bytes: Int, for link: (any SessionLink)?) {
        state.withLock { state in
            guard let change = state.demand.take(bytes) else { return }
            link?.apply(change)
        }
    }
}

extension SessionLink {
    /// Called under a lock, so that changes come in their order: it must not deliver messages before it returns.
    fileprivate func apply(_ change: ReadingDemand.Change) {
        switch change {
        case .pause: pauseReading()
        case .resume: resumeReading()
        }
    }
}

extension BLIPIncoming {
    /// False for events about messages that this side has sent.
    var isFromPeer: Bool {
        switch self {
        case .request, .response, .responsePart, .failure: true
        case .sent: false
        }
    }
}
