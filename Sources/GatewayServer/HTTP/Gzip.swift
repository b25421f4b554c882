import CZlib
import GatewayCore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// HTTP's `gzip` content coding.
enum Gzip {
    /// The most bytes that one byte can become: a code of 2 bits is at most 258 bytes.
    static let mostInflation = 1032

    /// The bytes of a request's body; 413 when they would be more than `limit`, however few were sent.
    static func inflated(_ input: [UInt8], limit: Int) throws(GatewayError) -> [UInt8] {
        let stream = ZlibStream(inflating: true)
        var output: [UInt8] = []
        let status = input.withUnsafeBytes { stream.run($0, flush: Z_NO_FLUSH, limit: limit, into: &output) }
        guard output.count <= limit else { throw GatewayError.documentTooLarge }
        guard status == Z_STREAM_END else { throw GatewayError.invalidGzip }
        return output
    }

    /// Inflates a body while it arrives.
    final class Inflation {
        private let stream = ZlibStream(inflating: true)
        private var hasEnded = false

        /// The inflated next bytes; `nil` when none are left.
        func next(_ part: inout ByteBuffer) throws(GatewayError) -> ByteBuffer? {
            let count = min(part.readableBytes, GatewayServerLimits.inflatedAtOnce)
            guard count > 0, let input = part.readSlice(length: count) else { return nil }
            // Bytes behind the end are ignored, as for a body that is inflated as a whole.
            guard !hasEnded else { return ByteBuffer() }
            var output: [UInt8] = []
            let status = input.withUnsafeReadableBytes {
                stream.run($0, flush: Z_NO_FLUSH, limit: .max, into: &output)
            }
            hasEnded = status == Z_STREAM_END
            guard hasEnded || status == Z_OK || status == Z_BUF_ERROR else { throw GatewayError.invalidGzip }
            return ByteBuffer(bytes: output)
        }

        func finish() throws(GatewayError) { guard hasEnded else { throw GatewayError.invalidGzip } }
    }
}

extension Response {
    /// Compressed, if the client accepts that and the content is text.
    func compressed(for request: GatewayRequest) -> Response {
        let accepted = request.header(.acceptEncoding)?.lowercased() ?? ""
        let type = headers[.contentType] ?? ""
        let isText = type.hasPrefix("application/json") || type.hasPrefix("text/")
        guard accepted.contains("gzip"), isText, body.contentLength != 0 else { return self }
        var (headers, body) = (headers, body)
        headers[.contentEncoding] = "gzip"
        headers[.contentLength] = nil
        let plain = body
        body = ResponseBody { writer in try await plain.write(GzipBodyWriter(writer)) }
        return Response(status: status, headers: headers, body: body)
    }
}

/// Compresses an answer while it is written; a feed's rows are not held back.
private struct GzipBodyWriter: ResponseBodyWriter {
    private var parent: any ResponseBodyWriter
    private let stream = ZlibStream(inflating: false)

    init(_ parent: any ResponseBodyWriter) { self.parent = parent }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await parent.write(compressed(buffer, flush: Z_SYNC_FLUSH))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        let end = compressed(ByteBuffer(), flush: Z_FINISH)
        try await parent.write(end)
        try await parent.finish(trailingHeaders)
    }

    private func compressed(_ bytes: ByteBuffer, flush: Int32) -> ByteBuffer {
        var output: [UInt8] = []
        _ = bytes.withUnsafeReadableBytes { stream.run($0, flush: flush, limit: .max, into: &output) }
        return ByteBuffer(bytes: output)
    }
}

/// One of zlib's streams; it keeps its own address, so it must not move.
private final class ZlibStream {
    private static let piece = 1 << 16

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isInflating: Bool

    init(inflating: Bool) {
        isInflating = inflating
        stream.initialize(to: z_stream())
        let status = inflating ? czlib_inflate_init_gzip(stream) : czlib_deflate_init_gzip(stream, 1)
        precondition(status == Z_OK, "zlib cannot start: \(status)")
    }

    deinit {
        if isInflating { inflateEnd(stream) } else { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Appends the result for the bytes; stops soon after `limit`.
    func run(_ input: UnsafeRawBufferPointer, flush: Int32, limit: Int, into output: inout [UInt8]) -> Int32 {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(input.count)
        var status = Z_OK
        repeat {
            withUnsafeTemporaryAllocation(of: Bytef.self, capacity: Self.piece) { room in
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = uInt(room.count)
                status = isInflating ? inflate(stream, flush) : deflate(stream, flush)
                output.append(contentsOf: room.prefix(room.count - Int(stream.pointee.avail_out)))
            }
        } while status == Z_OK && stream.pointee.avail_out == 0 && output.count <= limit
        return status
    }
}
