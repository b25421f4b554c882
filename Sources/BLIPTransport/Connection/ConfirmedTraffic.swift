import NIOCore

/// What the other side's system confirms beyond pings and pongs. It confirms those as well, whether or not a program there
/// still answers them.
struct ConfirmedTraffic {
    private var confirmedBytes: UInt64 = 0
    /// Bytes of the pings and pongs that were written since the last look, at most.
    private var unnoticedBytes: UInt64 = 0
    /// Whether something was on its way at the last look.
    private var wasSending = false

    /// - Parameter payloadBytes: of a ping or pong that is being written.
    mutating func noteControlFrame(payloadBytes: Int) {
        unnoticedBytes += TransportLimits.pingBytes + UInt64(payloadBytes)
    }

    /// How long ago more was confirmed than pings and pongs; `nil` where nothing was since the last look.
    mutating func noteLook(_ progress: SocketProgress) -> TimeAmount? {
        // One of those that were counted before may have been confirmed since.
        let unnoticed = unnoticedBytes + TransportLimits.pingBytes
        let isMore = progress.confirmedBytes > confirmedBytes + unnoticed
        confirmedBytes = progress.confirmedBytes
        unnoticedBytes = 0
        return isMore ? progress.silence : nil
    }

    /// The same where the other side may be waiting for what is on its way. What is written and confirmed between two looks
    /// keeps nobody waiting: a system confirms a request at once, also for a program that is stuck.
    mutating func noteUpload(_ progress: SocketProgress) -> TimeAmount? {
        let isUpload = wasSending || progress.isSending
        wasSending = progress.isSending
        let silence = noteLook(progress)
        return isUpload ? silence : nil
    }
}
