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
    /// How many windows in succession too little came in.
    private var slowWindows = 0

    public init(window: TimeAmount, bytes: Int) {
        self.window = window
        self.bytes = bytes
    }

    /// Notes what came, and how long it was waited for: time in which nobody was reading does not count.
    ///
    /// - Parameter unfinished: bytes that are here and wait for the rest. Where these are few, a small body with two
    ///   pauses takes longer than a window without being slow: it has as long as it takes at the least pace.
    /// - Returns: false when a window is over in which too little came.
    public mutating func note(_ count: Int, waited time: TimeAmount, unfinished: Int) -> Bool {
        waited = waited + time
        arrived += count
        guard waited >= window else { return true }
        slowWindows = arrived < bytes ? slowWindows + 1 : 0
        (waited, arrived) = (.zero, 0)
        guard slowWindows > 0 else { return true }
        return unfinished < TransportLimits.memoryStep && slowWindows < TransportLimits.slowWindowsOfLittle
    }

    /// The window's length, for messages.
    public var seconds: Int64 { window.nanoseconds / 1_000_000_000 }

    /// What is left of the window.
    var rest: TimeAmount { window - waited }

    /// Begins a new window.
    public mutating func startOver() {
        waited = .zero
        arrived = 0
        slowWindows = 0
    }
}
