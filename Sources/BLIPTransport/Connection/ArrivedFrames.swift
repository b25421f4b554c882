import NIOCore
import NIOWebSocket

/// Frames that have arrived and are not processed yet. Connections take turns in processing them: a frame of some
/// kilobytes may inflate to megabytes, and the other connections of the event loop have to wait for that.
///
/// At most the bytes of one read wait here, some hundred kilobytes: reading is paused then.
struct ArrivedFrames {
    private enum Turn {
        /// The bytes to which its frames have inflated so far.
        case open(inflatedBytes: Int)
        /// The turn is over; a new one has to be begun.
        case over
    }

    private var frames = CircularBuffer<WebSocketFrame>()
    private var turn = Turn.open(inflatedBytes: 0)

    var isEmpty: Bool { frames.isEmpty }

    mutating func append(_ frame: WebSocketFrame) { frames.append(frame) }

    /// The next frame, if this turn has room for it.
    mutating func next() -> WebSocketFrame? {
        guard case .open = turn else { return nil }
        return frames.popFirst()
    }

    /// Returns whether that ended the turn.
    mutating func note(inflatedBytes: Int) -> Bool {
        guard case .open(let before) = turn else { return false }
        let all = before + inflatedBytes
        let isOver = all >= TransportLimits.inflatedBytesPerTurn
        turn = isOver ? .over : .open(inflatedBytes: all)
        return isOver
    }

    mutating func beginTurn() { turn = .open(inflatedBytes: 0) }

    /// The socket has no more bytes for now; the event loop goes on to others.
    mutating func noteReadComplete() {
        if case .open = turn { beginTurn() }
    }

    /// Drops the waiting frames, except the peer's Close, which has the reason for the end.
    mutating func removeAll() -> WebSocketFrame? {
        defer { frames.removeAll() }
        return frames.last { $0.opcode == .connectionClose }
    }
}
