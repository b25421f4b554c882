extension BLIPEngine {
    /// Whether frames of the peer are due: for an incomplete message, or for a streamed reply that has not begun.
    public var isOwedFrames: Bool { !incomplete.isEmpty || !awaitedStreams.isEmpty }

    /// Returns an unfinished message that has made no progress since the last call. A message whose acknowledgement is
    /// withheld waits because of this side, so it is left out.
    ///
    /// There is no clock here: the owner calls it at the interval that it allows for progress.
    public mutating func messageWithoutProgress() -> UInt32? {
        var found: UInt32?
        for key in incomplete.keys where incomplete[key]?.noteLook() == false { found = found ?? key.number }
        for (number, wasAwaited) in awaitedStreams where incomplete[MessageKey(number: number, isReply: true)] == nil {
            if wasAwaited { found = found ?? number }
            awaitedStreams[number] = true
        }
        return found
    }
}
