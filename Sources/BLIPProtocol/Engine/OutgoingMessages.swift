import NIOCore

/// The queue of this side: messages in their order, messages that wait for the peer, and acknowledgements.
struct OutgoingMessages {
    var queue = OutgoingQueue()
    /// Messages that wait for an acknowledgement.
    var stalled: [MessageKey: OutgoingMessage] = [:]
    /// The progress of messages of which only some frames are sent.
    var flows: [MessageKey: FlowControl] = [:]
    var acknowledgements = CircularBuffer<ByteBuffer>()
    /// The number of the latest request.
    var lastNumber: UInt32 = 0
    /// Bytes of queued messages that are not in frames yet.
    var bytes = 0
}

/// How many bytes of a message of several frames are sent and acknowledged.
struct FlowControl {
    var sent: UInt64 = 0
    var acknowledged: UInt64 = 0

    var unacknowledged: UInt64 { sent - min(acknowledged, sent) }
}
