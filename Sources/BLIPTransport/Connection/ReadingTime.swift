import NIOCore

/// For how long somebody was listened to: the time in which this side reads nothing is not the peer's. Pure.
struct ReadingTime {
    private var start: NIODeadline
    private var pausedSince: NIODeadline?
    private var paused = TimeAmount.zero

    init(from start: NIODeadline, isPaused: Bool) {
        self.start = start
        pausedSince = isPaused ? start : nil
    }

    /// Reading has been paused, or goes on. The same twice changes nothing.
    mutating func note(isPaused: Bool, at time: NIODeadline) {
        if isPaused {
            pausedSince = pausedSince ?? time
        } else if let since = pausedSince {
            paused = paused + (time - since)
            pausedSince = nil
        }
    }

    /// The time since the last call, without the pauses.
    mutating func take(until time: NIODeadline) -> TimeAmount {
        let isPaused = pausedSince != nil
        note(isPaused: false, at: time)
        let read = time - start - paused
        self = ReadingTime(from: time, isPaused: isPaused)
        return read
    }
}
