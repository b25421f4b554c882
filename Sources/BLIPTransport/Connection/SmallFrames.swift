/// Frames with next to nothing in them, which cost as much as others: a peer that sends nothing else keeps everybody on its event
/// loop waiting. Answers to what it was sent are small, too, and are as many. Pure.
struct SmallFrames {
    private var second: UInt64 = 0
    private var count = 0
    /// Frames that were sent to the peer and may be answered, each by a reply and an acknowledgement.
    private var answerable = 0

    mutating func noteSent() { answerable = min(answerable + 2, TransportLimits.answerableFrames) }

    /// - Parameter seconds: of any clock that goes forward.
    /// - Returns: false where there are too many.
    mutating func admits(_ bytes: Int, at seconds: UInt64) -> Bool {
        guard bytes < TransportLimits.smallFrame else { return true }
        if answerable > 0 {
            answerable -= 1
            return true
        }
        if seconds != second { (second, count) = (seconds, 0) }
        count += 1
        return count <= TransportLimits.smallFramesPerSecond
    }
}
