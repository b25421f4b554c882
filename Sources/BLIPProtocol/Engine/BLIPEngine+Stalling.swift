extension BLIPEngine {
    /// Whether the peer may leave something unfinished: a message of which frames are to come, or a streamed reply that
    /// has not begun.
    public var isOwedFrames: Bool { !incomplete.isEmpty || !awaitedStreams.isEmpty }

    /// Looks at what is unfinished, and names a message that has got no further since the last look. One whose
    /// acknowledgement is withheld waits because of this side and is passed over.
    ///
    /// There is no clock here: the owner looks again and again, with the time between that it allows.
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
