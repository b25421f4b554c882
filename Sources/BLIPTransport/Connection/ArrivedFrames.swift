import NIOCore
import NIOWebSocket

/// Frames that came and are not received yet. Connections take turns in receiving them: a frame of some kilobytes may
/// inflate to megabytes, and the other connections of the event loop wait meanwhile.
///
/// What waits here is what the socket gave before reading was paused, some hundred kilobytes.
struct ArrivedFrames {
    private enum Turn {
        /// The bytes to which its frames have inflated so far.
        case open(inflatedBytes: Int)
        /// The next one is to be begun.
        case over
    }

    private var frames = CircularBuffer<WebSocketFrame>()
    private var turn = Turn.open(inflatedBytes: 0)

    var isEmpty: Bool { frames.isEmpty }

    mutating func append(_ frame: WebSocketFrame) { frames.append(frame) }

    /// The next one, where this turn has room for it.
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

    /// The socket has given what it had; the event loop goes on to others.
    mutating func noteReadComplete() {
        if case .open = turn { beginTurn() }
    }

    /// Gives up what waits, but for the peer's Close, which says why the socket has ended.
    mutating func removeAll() -> WebSocketFrame? {
        defer { frames.removeAll() }
        return frames.last { $0.opcode == .connectionClose }
    }
}
