import CZlib
import NIOCore

/// The raw-deflate stream of one direction. It lives as long as the connection: each frame refers back to earlier ones.
struct Deflater: ~Copyable {
    private let limits: BLIPLimits
    /// zlib keeps the address of its stream, so the stream must not move. Made when it is first needed: most of
    /// thousands of idle clients never get a compressed message.
    private var stream: UnsafeMutablePointer<z_stream>?

    init(limits: BLIPLimits) { self.limits = limits }

    deinit {
        guard let stream else { return }
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    private mutating func startedStream() -> UnsafeMutablePointer<z_stream> {
        if let stream { return stream }
        let new = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        new.initialize(to: z_stream())
        let status = czlib_deflate_init_raw(
            new, limits.compression.level, limits.compression.windowBits, limits.compression.memoryLevel)
        precondition(status == Z_OK, "zlib cannot start compressing: \(status)")
        stream = new
        return new
    }

    /// Compresses bytes; part of the output may still be held back.
    mutating func write(_ input: ByteBuffer, to output: inout ByteBuffer) throws(BLIPError) {
        try run(input, flush: Z_NO_FLUSH, to: &output)
    }

    /// Compresses bytes and writes all that was held back, ending on a whole byte with `00 00 FF FF`.
    ///
    /// At least one byte must have been taken in since the last flush.
    mutating func flush(_ input: ByteBuffer, to output: inout ByteBuffer) throws(BLIPError) {
        try run(input, flush: Z_SYNC_FLUSH, to: &output)
    }

    private mutating func run(_ input: ByteBuffer, flush: Int32, to output: inout ByteBuffer) throws(BLIPError) {
        let stream = startedStream()
        let status = input.withUnsafeReadableBytes { bytes -> Int32 in
            stream.setInput(bytes)
            var status = Z_OK
            repeat {
                // With fewer than 6 bytes left zlib would repeat the flush marker.
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: max(64, bytes.count / 2)) { room in
                    stream.setOutput(room)
                    status = deflate(stream, flush)
                    return room.count - Int(stream.pointee.avail_out)
                }
            } while status == Z_OK && stream.pointee.avail_out == 0
            return status
        }
        // Z_BUF_ERROR only says that there was nothing left to do in the last round.
        guard status == Z_OK || status == Z_BUF_ERROR, stream.pointee.avail_in == 0 else {
            throw BLIPError(.compressionFailed, detail: "zlib says \(status)")
        }
    }
}

extension UnsafeMutablePointer where Pointee == z_stream {
    func setInput(_ bytes: UnsafeRawBufferPointer) {
        pointee.next_in = UnsafeMutablePointer<Bytef>(mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
        pointee.avail_in = uInt(bytes.count)
    }

    func setOutput(_ room: UnsafeMutableRawBufferPointer) {
        pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
        pointee.avail_out = uInt(room.count)
    }
}
