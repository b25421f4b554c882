import NIOCore

/// The time in which this side has read from a peer: pauses of reading must not count against the peer. Pure.
struct ReadingTime {
    private var start: NIODeadline
    private var pausedSince: NIODeadline?
    private var paused = TimeAmount.zero

    init(from start: NIODeadline, isPaused: Bool) {
        self.start = start
        pausedSince = isPaused ? start : nil
    }

    /// Reading was paused, or goes on. Calling it twice with the same value has no effect.
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
