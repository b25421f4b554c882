import NIOCore

/// The queue of this side: messages in their order, messages that wait for the peer, and acknowledgements.
struct OutgoingMessages {
    var queue = OutgoingQueue()
    /// Messages that wait for an acknowledgement.
    var stalled: [MessageKey: OutgoingMessage] = [:]
    /// Messages of which some frames are out and some are not.
    var flows: [MessageKey: FlowControl] = [:]
    var acknowledgements = CircularBuffer<ByteBuffer>()
    /// The number of the latest request.
    var lastNumber: UInt32 = 0
    /// Bytes handed over that are not frames yet.
    var bytes = 0
}

/// How far a message that takes several frames has got.
struct FlowControl {
    var sent: UInt64 = 0
    var acknowledged: UInt64 = 0

    var unacknowledged: UInt64 { sent - min(acknowledged, sent) }
}
