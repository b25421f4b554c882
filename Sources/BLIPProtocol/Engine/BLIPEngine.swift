import NIOCore

/// One end of a BLIP connection, without the connection: it makes frames of messages, and messages of frames.
///
/// The owner feeds it the frames that arrive (`receive`) and the messages to be sent (`enqueue`), writes the frames it
/// makes (`nextFrame`, as long as the socket takes them), and acts on `takeEvents()`. After an error the engine cannot
/// be used any more: its owner closes the connection.
///
/// It cannot be copied: a second copy of a compression stream would make frames that no peer understands.
public struct BLIPEngine: ~Copyable {
    let limits: BLIPLimits
    var encoder: FrameEncoder
    var decoder: FrameDecoder
    var events: [BLIPIncoming] = []

    var outgoing = OutgoingMessages()
    var incomplete = IncompleteMessages()
    var replies = OwedReplies()
    var heldRequests = HeldRequests()
    var lastReceivedNumber: UInt32 = 0

    public init(limits: BLIPLimits = BLIPLimits()) {
        self.limits = limits
        encoder = FrameEncoder(limits: limits)
        decoder = FrameDecoder(limits: limits)
    }

    /// The events since the last call, in order.
    public mutating func takeEvents() -> [BLIPIncoming] {
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    /// Bytes of queued messages that are not in frames yet.
    public var queuedBytes: Int { outgoing.bytes }

    public var hasEvents: Bool { !events.isEmpty }

    /// Bytes of memory for incoming messages that are not complete yet: their content, and a fixed cost for each message.
    /// Queued outgoing messages do not count: this side has queued them itself, and waits if the peer reads slowly.
    public var heldBytes: Int { incomplete.bytes + incomplete.messages.count * BLIPLimits.bytesOfMessage }

    /// Bytes to which all compressed frames together have inflated.
    public var inflatedBytes: Int { decoder.inflatedBytes }

    /// Whether some message has arrived only in part.
    public var hasIncompleteMessages: Bool { !incomplete.messages.isEmpty }

    /// Whether some request of this side has no complete reply yet.
    public var isAwaitingReplies: Bool { !replies.awaited.isEmpty }

    /// Drops incomplete messages; for an owner that closes the connection.
    public mutating func dropIncompleteMessages() {
        incomplete = IncompleteMessages()
        heldRequests = HeldRequests()
    }

    /// Whether `nextFrame` would return a frame.
    public var hasFrames: Bool { !outgoing.queue.isEmpty || !outgoing.acknowledgements.isEmpty }

    /// Messages and acknowledgements that could be sent now if the peer read; without messages that wait for an
    /// acknowledgement.
    public var waitingMessages: Int { outgoing.queue.count + outgoing.acknowledgements.count }

    /// Whether some message is not completely sent, including messages that wait for an acknowledgement.
    public var hasQueuedMessages: Bool { !outgoing.queue.isEmpty || !outgoing.stalled.isEmpty }
}
