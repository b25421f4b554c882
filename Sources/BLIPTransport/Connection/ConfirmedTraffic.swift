import NIOCore

/// Bytes that the other side's system confirms, without pings and pongs: the system confirms these even if no program
/// there answers any more.
struct ConfirmedTraffic {
    private var confirmedBytes: UInt64 = 0
    /// Bytes of the pings and pongs that were written since the last look, at most.
    private var unnoticedBytes: UInt64 = 0
    /// Whether bytes were unconfirmed at the last look.
    private var wasSending = false

    /// - Parameter payloadBytes: of a ping or pong that is being written.
    mutating func noteControlFrame(payloadBytes: Int) {
        unnoticedBytes += TransportLimits.pingBytes + UInt64(payloadBytes)
    }

    /// How long ago other bytes than pings and pongs were confirmed; `nil` if none were since the last look.
    mutating func noteLook(_ progress: SocketProgress) -> TimeAmount? {
        // A ping or pong that was written before the last look may have been confirmed since.
        let unnoticed = unnoticedBytes + TransportLimits.pingBytes
        let isMore = progress.confirmedBytes > confirmedBytes + unnoticed
        confirmedBytes = progress.confirmedBytes
        unnoticedBytes = 0
        return isMore ? progress.silence : nil
    }

    /// The same, but only if bytes were unconfirmed at this look or the last one, so that the other side may be waiting
    /// for them. Bytes that are written and confirmed between two looks do not count: a system confirms a request at once,
    /// even for a program that is stuck.
    mutating func noteUpload(_ progress: SocketProgress) -> TimeAmount? {
        let isUpload = wasSending || progress.isSending
        wasSending = progress.isSending
        let silence = noteLook(progress)
        return isUpload ? silence : nil
    }
}
