import NIOCore

/// Makes the frames of one direction, in the order in which they go out.
struct FrameEncoder: ~Copyable {
    /// Header, checksum, and the bytes that deflate adds to data that it cannot shrink: two stored blocks and the
    /// flush.
    static let overhead = 32

    private var deflater: Deflater
    private var checksum = RunningChecksum()

    init(limits: BLIPLimits) {
        deflater = Deflater(limits: limits)
    }

    /// The frame, and how much of it counts for flow control: everything after the header.
    mutating func encode(_ header: FrameHeader, payload: FramePayload) throws(BLIPError) -> (ByteBuffer, size: Int) {
        var frame = ByteBuffer()
        frame.reserveCapacity(payload.count + Self.overhead)
        header.write(to: &frame)
        let start = frame.writerIndex
        if header.flags.contains(.compressed), payload.count > 0 {
            try deflater.write(payload.head, to: &frame)
            try deflater.flush(payload.body, to: &frame)
            // The receiver adds these four bytes (`00 00 FF FF`) again.
            frame.moveWriterIndex(to: frame.writerIndex - 4)
        } else {
            frame.writeImmutableBuffer(payload.head)
            frame.writeImmutableBuffer(payload.body)
        }
        checksum.update(payload.head)
        checksum.update(payload.body)
        frame.writeInteger(checksum.value)
        return (frame, frame.writerIndex - start)
    }

    static func acknowledgement(of key: MessageKey, bytes: UInt64) -> ByteBuffer {
        var frame = ByteBuffer()
        let type: FrameType = key.isReply ? .acknowledgeReply : .acknowledgeRequest
        FrameHeader(number: key.number, type: type, flags: .acknowledgement).write(to: &frame)
        frame.writeVarint(bytes)
        return frame
    }
}

/// The bytes of one frame before compression, in two pieces so that bodies are not copied to join their properties.
struct FramePayload {
    var head = ByteBuffer()
    var body = ByteBuffer()

    var count: Int { head.readableBytes + body.readableBytes }
}
