import NIOCore

/// Whether a peer that has begun to send a message goes on fast enough. A peer that sends very slowly would hold memory
/// for as long as it likes. A poor network has pauses, so only whole windows of time count. Pure.
public struct ArrivalPace: Sendable {
    /// The length of a window.
    public var window: TimeAmount
    /// Bytes that have to arrive in each window.
    public var bytes: Int
    private var waited = TimeAmount.zero
    private var arrived = 0
    /// How many windows in succession had too few bytes.
    private var slowWindows = 0

    public init(window: TimeAmount, bytes: Int) {
        self.window = window
        self.bytes = bytes
    }

    /// Notes arrived bytes, and how long this side waited for them: time in which it did not read does not count.
    ///
    /// - Parameter unfinished: bytes that are here and wait for the rest. A small body with two pauses may take longer
    ///   than a window without being slow: if these are few, it may take as long as at the minimum pace.
    /// - Returns: false at the end of a window with too few bytes.
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

    /// The rest of the window.
    var rest: TimeAmount { window - waited }

    /// Begins a new window.
    public mutating func startOver() {
        waited = .zero
        arrived = 0
        slowWindows = 0
    }
}
