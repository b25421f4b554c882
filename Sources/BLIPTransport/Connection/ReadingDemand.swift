import BLIPProtocol
import NIOCore

/// Whether a connection is to be read: not while much of what has come waits for its session, and not while the session
/// wants nothing more. The connection fills the session's queue on a thread of its own, so that without this a peer that is
/// faster than its session would fill the memory.
///
/// The changes have to be applied in their order: under the lock that guards this value. A resumption that overtakes the
/// pause before it leaves a connection that nobody resumes.
package struct ReadingDemand: Sendable {
    /// What is to be done with the connection.
    package enum Change: Sendable {
        case pause
        case resume
    }

    /// Bytes that may wait; above it reading ends until half of them are worked off.
    private let limit: Int
    /// Bytes that have come and that the session has not worked on.
    package private(set) var waiting = 0
    private var isFull = false
    private var isWanted = true

    package init(limit: Int) { self.limit = limit }

    /// So many bytes have come.
    package mutating func put(_ bytes: Int) -> Change? {
        change { state in
            state.waiting += bytes
            if state.waiting > state.limit { state.isFull = true }
        }
    }

    /// The session has worked on so many bytes.
    package mutating func take(_ bytes: Int) -> Change? {
        change { state in
            state.waiting -= bytes
            if state.waiting <= state.limit / 2 { state.isFull = false }
        }
    }

    /// The session wants more, or nothing more for the moment.
    package mutating func want(_ isWanted: Bool) -> Change? { change { $0.isWanted = isWanted } }

    private var pauses: Bool { isFull || !isWanted }

    private mutating func change(_ body: (inout Self) -> Void) -> Change? {
        let before = pauses
        body(&self)
        return pauses == before ? nil : pauses ? .pause : .resume
    }
}

extension BLIPIncoming {
    /// What it takes in memory while it waits: a deletion has no body, and may have a long history.
    package var waitingBytes: Int {
        switch self {
        case .request(let message), .response(_, let message):
            TransportLimits.bytesOfWaitingMessage + message.body.readableBytes + message.properties.byteCount
        case .responsePart(_, let bytes, _): TransportLimits.bytesOfWaitingMessage + bytes.readableBytes
        case .failure, .sent: TransportLimits.bytesOfWaitingMessage
        }
    }
}
