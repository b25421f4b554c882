import BLIPProtocol
import NIOCore

/// Whether a connection is to be read: not while many received messages wait for the session, and not while the session
/// wants no more. The connection fills the session's queue on a thread of its own, so that without this a peer that is
/// faster than its session would fill the memory.
///
/// The changes have to be applied in their order: under the lock that guards this value. If a resumption overtook the
/// pause before it, the connection would stay paused for ever.
package struct ReadingDemand: Sendable {
    /// The change to make to the connection.
    package enum Change: Sendable {
        case pause
        case resume
    }

    /// Bytes that may wait; above that, reading is paused until half of them are processed.
    private let limit: Int
    /// Bytes that have arrived and that the session has not processed.
    package private(set) var waiting = 0
    private var isFull = false
    private var isWanted = true

    package init(limit: Int) { self.limit = limit }

    /// So many bytes have arrived.
    package mutating func put(_ bytes: Int) -> Change? {
        change { state in
            state.waiting += bytes
            if state.waiting > state.limit { state.isFull = true }
        }
    }

    /// The session has processed so many bytes.
    package mutating func take(_ bytes: Int) -> Change? {
        change { state in
            state.waiting -= bytes
            if state.waiting <= state.limit / 2 { state.isFull = false }
        }
    }

    /// The session wants more, or no more for the moment.
    package mutating func want(_ isWanted: Bool) -> Change? { change { $0.isWanted = isWanted } }

    private var pauses: Bool { isFull || !isWanted }

    private mutating func change(_ body: (inout Self) -> Void) -> Change? {
        let before = pauses
        body(&self)
        return pauses == before ? nil : pauses ? .pause : .resume
    }
}

extension BLIPIncoming {
    /// The memory that it takes while it waits; the properties count, too: a deletion has no body, but may have a long
    /// history.
    package var waitingBytes: Int {
        switch self {
        case .request(let message), .response(_, let message):
            TransportLimits.bytesOfWaitingMessage + message.body.readableBytes + message.properties.byteCount
        case .responsePart(_, let bytes, _): TransportLimits.bytesOfWaitingMessage + bytes.readableBytes
        case .failure, .sent: TransportLimits.bytesOfWaitingMessage
        }
    }
}
