import NIOCore

/// One end of a BLIP connection, without the connection: messages in, frames out, and the other way round.
///
/// The owner feeds it the frames that arrive (`receive`) and the messages to be sent (`enqueue`), writes the frames it
/// makes (`nextFrame`, as long as the socket takes them), and acts on `takeEvents()`. After an error the engine is of no
/// use any more: its owner closes the connection.
///
/// It cannot be copied: a second copy of a compression stream would make frames that no peer understands.
public struct BLIPEngine: ~Copyable {
    let limits: BLIPLimits
    var encoder: FrameEncoder
    var decoder: FrameDecoder
    var events: [BLIPIncoming] = []

    // Outgoing
    var queue = OutgoingQueue()
    /// Messages that wait for an acknowledgement.
    var stalled: [MessageKey: OutgoingMessage] = [:]
    /// Messages of which some frames are out and some are not.
    var flows: [MessageKey: FlowControl] = [:]
    var acknowledgements = CircularBuffer<ByteBuffer>()
    var lastSentNumber: UInt32 = 0
    /// Bytes handed over that are not frames yet.
    public internal(set) var queuedBytes = 0

    // Incoming
    var incomplete: [MessageKey: IncomingMessage] = [:]
    var incompleteBytes = 0
    /// Incomplete messages that are due to be acknowledged and are not, the longest waiting first, and the one that is.
    var withheld = CircularBuffer<MessageKey>()
    var leading: MessageKey?
    var lastReceivedNumber: UInt32 = 0
    var heldRequests = HeldRequests()
    /// Our requests that have no whole reply yet.
    var awaitedReplies: [UInt32: OutgoingMessage.ReplyRoute] = [:]
    /// Those of them whose replies are streamed, and whether they were waited for at the last look.
    var awaitedStreams: [UInt32: Bool] = [:]
    /// The peer's requests that we owe an answer, and whether they are urgent: their answers are too.
    var unanswered: [UInt32: Bool] = [:]

    public init(limits: BLIPLimits = BLIPLimits()) {
        self.limits = limits
        encoder = FrameEncoder(limits: limits)
        decoder = FrameDecoder(limits: limits)
    }

    /// What has happened since the last call, in order.
    public mutating func takeEvents() -> [BLIPIncoming] {
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    public var hasEvents: Bool { !events.isEmpty }

    /// Bytes of memory for messages that are not complete yet: what they hold, and for each what it takes when it is
    /// empty. What is queued to be sent is not among them: this side has queued it, and waits where the peer reads slowly.
    public var heldBytes: Int { incompleteBytes + incomplete.count * BLIPLimits.bytesOfMessage }

    /// Bytes to which all frames together have inflated that came compressed.
    public var inflatedBytes: Int { decoder.inflatedBytes }

    /// Whether some frames of a message are here and others not.
    public var hasIncompleteMessages: Bool { !incomplete.isEmpty }

    /// Whether some request of ours has no whole reply yet.
    public var isAwaitingReplies: Bool { !awaitedReplies.isEmpty }

    /// Forgets what is incomplete: for an owner who closes the connection.
    public mutating func dropIncompleteMessages() {
        incomplete = [:]
        incompleteBytes = 0
        heldRequests = HeldRequests()
    }

    /// Whether `nextFrame` has something to give.
    public var hasFrames: Bool { !queue.isEmpty || !acknowledgements.isEmpty }

    /// Messages and acknowledgements that would go out now if the peer read: not those that wait for an acknowledgement.
    public var waitingMessages: Int { queue.count + acknowledgements.count }

    /// Whether a message is not sent in full, be it that it waits for an acknowledgement.
    public var hasQueuedMessages: Bool { !queue.isEmpty || !stalled.isEmpty }
}

/// How far a message that takes several frames has got.
struct FlowControl {
    var sent: UInt64 = 0
    var acknowledged: UInt64 = 0

    var unacknowledged: UInt64 { sent - min(acknowledged, sent) }
}
