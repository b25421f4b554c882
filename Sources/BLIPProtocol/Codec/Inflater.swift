import CZlib
import NIOCore

/// The receiver's counterpart of a `Deflater`.
struct Inflater: ~Copyable {
    /// The bytes that the sender removes from the end of each frame.
    private static let trailer = ByteBuffer(bytes: [0x00, 0x00, 0xFF, 0xFF])

    /// Made when it is first needed.
    private var stream: UnsafeMutablePointer<z_stream>?

    init() {}

    private mutating func startedStream() -> UnsafeMutablePointer<z_stream> {
        if let stream { return stream }
        let new = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        new.initialize(to: z_stream())
        let status = czlib_inflate_init_raw(new)
        precondition(status == Z_OK, "zlib cannot start decompressing: \(status)")
        stream = new
        return new
    }

    deinit {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Inflates the bytes of a frame and appends the result, at most `limit` bytes.
    mutating func inflate(_ input: ByteBuffer, limit: Int, to output: inout ByteBuffer) throws(BLIPError) {
        // Some senders write no bytes for an empty payload; then there is no block that the trailer would end.
        guard input.readableBytes > 0 else { return }
        let end = output.writerIndex + limit
        try run(input, end: end, to: &output)
        try run(Self.trailer, end: end, to: &output)
    }

    private mutating func run(_ input: ByteBuffer, end: Int, to output: inout ByteBuffer) throws(BLIPError) {
        let stream = startedStream()
        let status = input.withUnsafeReadableBytes { bytes -> Int32 in
            stream.setInput(bytes)
            var status = Z_OK
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: max(256, bytes.count * 3)) { room in
                    stream.setOutput(room)
                    status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                    return room.count - Int(stream.pointee.avail_out)
                }
            } while status == Z_OK && stream.pointee.avail_out == 0 && output.writerIndex <= end
            return status
        }
        guard output.writerIndex <= end else {
            throw BLIPError(.inflatedFrameTooLarge, detail: "a frame inflates to more than the limit")
        }
        // A sender never ends its stream (Z_STREAM_END), and whatever it flushed can be inflated to the last byte.
        guard status == Z_OK || status == Z_BUF_ERROR, stream.pointee.avail_in == 0 else {
            throw BLIPError(.badCompression, detail: "zlib says \(status)")
        }
    }
}
