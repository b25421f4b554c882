extension BLIPEngine {
    /// Whether the peer may leave something unfinished: a message of which frames are to come, or a streamed reply that
    /// has not begun.
    public var isOwedFrames: Bool { !incomplete.messages.isEmpty || !replies.streams.isEmpty }

    /// Returns an unfinished message that has made no progress since the last call. A message whose acknowledgement is
    /// withheld waits because of this side, so it is left out.
    ///
    /// There is no clock here: the owner calls it at the interval that it allows for progress.
    public mutating func messageWithoutProgress() -> UInt32? {
        var found: UInt32?
        for key in incomplete.messages.keys where incomplete.messages[key]?.noteLook() == false {
            found = found ?? key.number
        }
        for (number, wasAwaited) in replies.streams
        where incomplete.messages[MessageKey(number: number, isReply: true)] == nil {
            if wasAwaited { found = found ?? number }
            replies.streams[number] = true
        }
        return found
    }
}
