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
        var bytes = 0
        var isScheduled = false
        var isPaused = false
    }

    private let state = Mutex(State())

    /// - Returns: whether the queue has to be notified.
    func put(_ received: [BLIPIncoming], pausing connection: any SessionLink) -> Bool {
        let size = received.reduce(0) { $0 + $1.size }
        let (schedules, pauses) = state.withLock { state in
            state.messages += received
            state.bytes += size
            let pauses = !state.isPaused && state.bytes > ReplicationLimits.inboxBytes
            if pauses { state.isPaused = true }
            defer { state.isScheduled = true }
            return (!state.isScheduled, pauses)
        }
        if pauses { connection.pauseReading() }
        return schedules
    }

    func takeAll() -> [BLIPIncoming] {
        state.withLock { state in
            state.isScheduled = false
            state.bytes = 0
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Called when what was taken has been worked on.
    func resumeIfEmpty(_ connection: (any SessionLink)?) {
        let resumes = state.withLock { state in
            guard state.isPaused, state.bytes <= ReplicationLimits.inboxBytesToResume else { return false }
            state.isPaused = false
            return true
        }
        if resumes { connection?.resumeReading() }
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

    /// Bytes of content that wait.
    fileprivate var size: Int {
        switch self {
        case .request(let message), .response(_, let message): message.body.readableBytes
        case .responsePart(_, let bytes, _): bytes.readableBytes
        case .failure, .sent: 0
        }
    }
}
