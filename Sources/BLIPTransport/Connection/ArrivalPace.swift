import NIOCore

/// Whether somebody who has begun to send something goes on fast enough. A connection that drips holds memory for as
/// long as it likes; one on a poor network has pauses, so only whole windows of time count. Pure.
public struct ArrivalPace: Sendable {
    /// How long is looked at together.
    public var window: TimeAmount
    /// Bytes that have to come in each window.
    public var bytes: Int
    private var waited = TimeAmount.zero
    private var arrived = 0

    public init(window: TimeAmount, bytes: Int) {
        self.window = window
        self.bytes = bytes
    }

    /// Notes what came, and how long it was waited for: time in which nobody was reading does not count.
    ///
    /// - Returns: false when a window is over in which too little came.
    public mutating func note(_ count: Int, waited time: TimeAmount) -> Bool {
        waited = waited + time
        arrived += count
        guard waited >= window else { return true }
        defer { startOver() }
        return arrived >= bytes
    }

    /// The window's length, for messages.
    public var seconds: Int64 { window.nanoseconds / 1_000_000_000 }

    /// Begins a new window.
    public mutating func startOver() {
        waited = .zero
        arrived = 0
    }
}
