import NIOCore

/// One end of a BLIP connection, without the connection: messages in, frames out, and the other way round.
///
/// The owner feeds it the frames that arrive (`receive`) and the messages to be sent (`enqueue`), writes the frames it
/// makes (`nextFrame`, as long as the socket takes them), and acts on `takeEvents()`. After an error the engine is of no
/// use any more: its owner closes the connection.
public struct BLIPEngine: ~Copyable {
    public init(limits: BLIPLimits = BLIPLimits()) {}

    /// Queues a message.
    public mutating func enqueue(_ outgoing: BLIPOutgoing) throws(BLIPError) { fatalError("to come") }

    /// The next frame for the wire, or `nil` when there is nothing that may be sent now.
    public mutating func nextFrame() throws(BLIPError) -> ByteBuffer? { fatalError("to come") }

    /// Takes in a frame from the wire.
    public mutating func receive(_ frame: ByteBuffer) throws(BLIPError) { fatalError("to come") }

    /// What has happened since the last call, in order.
    public mutating func takeEvents() -> [BLIPIncoming] { fatalError("to come") }
}
