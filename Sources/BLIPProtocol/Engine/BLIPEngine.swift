import NIOCore

/// One end of a BLIP connection, without the connection: messages in, frames out, and the other way round.
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

    // Outgoing
    var queue = OutgoingQueue()
    /// Messages that wait for an acknowledgement.
    var stalled: [MessageKey: OutgoingMessage] = [:]
    /// Messages of which some frames are sent and others are not.
    var flows: [MessageKey: FlowControl] = [:]
    var acknowledgements = CircularBuffer<ByteBuffer>()
    var lastSentNumber: UInt32 = 0
    /// Bytes handed over that are not frames yet.
    public internal(set) var queuedBytes = 0

    // Incoming
    var incomplete: [MessageKey: IncomingMessage] = [:]
    var incompleteBytes = 0
    /// Incomplete messages whose acknowledgement is withheld, the one that has waited longest first; and the one
    /// message that is acknowledged.
    var withheld = CircularBuffer<MessageKey>()
    var leading: MessageKey?
    var lastReceivedNumber: UInt32 = 0
    var heldRequests = HeldRequests()
    /// Our requests that have no whole reply yet.
    var awaitedReplies: [UInt32: OutgoingMessage.ReplyRoute] = [:]
    /// Those with streamed replies, and whether the reply was already due at the last look.
    var awaitedStreams: [UInt32: Bool] = [:]
    /// The peer's requests that we owe an answer, and whether they are urgent: their answers are too.
    var unanswered: [UInt32: Bool] = [:]

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

    public var hasEvents: Bool { !events.isEmpty }

    /// Bytes of memory for messages that are not complete yet: their content, and the size of an empty message for each.
    /// Queued messages are not counted: this side has queued them, and waits if the peer reads slowly.
    public var heldBytes: Int { incompleteBytes + incomplete.count * BLIPLimits.bytesOfMessage }

    /// Bytes to which all compressed frames together have inflated.
    public var inflatedBytes: Int { decoder.inflatedBytes }

    /// Whether some frames of a message are here and others are not.
    public var hasIncompleteMessages: Bool { !incomplete.isEmpty }

    /// Whether some request of ours has no whole reply yet.
    public var isAwaitingReplies: Bool { !awaitedReplies.isEmpty }

    /// Drops incomplete messages; for an owner that closes the connection.
    public mutating func dropIncompleteMessages() {
        incomplete = [:]
        incompleteBytes = 0
        heldRequests = HeldRequests()
    }

    /// Whether `nextFrame` has a frame.
    public var hasFrames: Bool { !queue.isEmpty || !acknowledgements.isEmpty }

    /// Messages and acknowledgements that would go out now if the peer read: not those that wait for an acknowledgement.
    public var waitingMessages: Int { queue.count + acknowledgements.count }

    /// Whether a message is not completely sent, including those that wait for an acknowledgement.
    public var hasQueuedMessages: Bool { !queue.isEmpty || !stalled.isEmpty }
}

/// How far a message that takes several frames has got.
struct FlowControl {
    var sent: UInt64 = 0
    var acknowledged: UInt64 = 0

    var unacknowledged: UInt64 { sent - min(acknowledged, sent) }
}
