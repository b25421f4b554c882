import NIOCore

/// Decodes the frames of one direction, in the order in which they come in.
package struct FrameDecoder: ~Copyable {
    private let inflatedLimit: Int
    private var inflater = Inflater()
    private var checksum = RunningChecksum()
    private(set) var inflatedBytes = 0

    package init(limits: BLIPLimits) { inflatedLimit = limits.inflatedFrameBytes }

    /// Appends the payload of a frame, whose header has been read, to its message.
    package mutating func decode(
        _ header: FrameHeader, frame: ByteBuffer, to message: inout ByteBuffer
    ) throws(BLIPError) {
        var frame = frame
        let length = frame.readableBytes - RunningChecksum.length
        guard length >= 0, var payload = frame.readSlice(length: length), let expected: UInt32 = frame.readInteger()
        else { throw BLIPError(.frameTooShort, detail: "no room for a checksum", messageNumber: header.number) }
        if header.flags.contains(.compressed) {
            let start = message.writerIndex
            try inflater.inflate(payload, limit: inflatedLimit, to: &message)
            payload = message.getSlice(at: start, length: message.writerIndex - start) ?? ByteBuffer()
            inflatedBytes += payload.readableBytes
        } else {
            message.writeImmutableBuffer(payload)
        }
        checksum.update(payload)
        guard checksum.value == expected else {
            throw BLIPError(.badChecksum, detail: "the running checksum differs", messageNumber: header.number)
        }
    }
}
