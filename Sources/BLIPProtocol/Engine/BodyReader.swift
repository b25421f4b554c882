import NIOCore

/// Hands out a message's body in pieces of the size of a frame.
///
/// One piece is read ahead, so that the last frame is known to be the last.
struct BodyReader {
    private enum Content {
        case bytes(ByteBuffer)
        case source(any BLIPBodySource, next: ByteBuffer, left: Int?)
        case finished
    }

    private var content: Content

    /// The first piece of a source is read here, so that a source that fails at once fails before anything is sent.
    init(_ body: BLIPBody) throws {
        switch body {
        case .bytes(let buffer): content = .bytes(buffer)
        case .source(let source, let length): content = try Self.advanced(source, left: length)
        }
    }

    init(bytes: ByteBuffer) { content = .bytes(bytes) }

    var isAtEnd: Bool {
        switch content {
        case .bytes(let buffer): buffer.readableBytes == 0
        case .source: false
        case .finished: true
        }
    }

    var bytesInMemory: Int {
        switch content {
        case .bytes(let buffer): buffer.readableBytes
        case .source(_, let next, _): next.readableBytes
        case .finished: 0
        }
    }

    /// At most `count` bytes, and fewer only at the end.
    mutating func next(upTo count: Int) throws -> ByteBuffer {
        switch content {
        case .bytes(var buffer):
            let piece = buffer.readSlice(length: min(count, buffer.readableBytes)) ?? ByteBuffer()
            content = .bytes(buffer)
            return piece
        case .source: return try nextFromSource(upTo: count)
        case .finished: return ByteBuffer()
        }
    }

    private mutating func nextFromSource(upTo count: Int) throws -> ByteBuffer {
        var piece = ByteBuffer()
        while piece.readableBytes < count, case .source(let source, var next, let left) = content {
            let wanted = count - piece.readableBytes
            guard wanted >= next.readableBytes else {
                if let part = next.readSlice(length: wanted) { piece.writeImmutableBuffer(part) }
                content = .source(source, next: next, left: left)
                break
            }
            if piece.readableBytes == 0 { piece = next } else { piece.writeImmutableBuffer(next) }
            content = try Self.advanced(source, left: left)
        }
        return piece
    }

    private static func advanced(_ source: any BLIPBodySource, left: Int?) throws -> Content {
        var source = source
        guard let next = try source.read(upTo: BLIPLimits.sourceStep) else {
            guard left ?? 0 == 0 else { throw BodyLengthMismatch() }
            return .finished
        }
        guard let left else { return .source(source, next: next, left: nil) }
        guard next.readableBytes <= left else { throw BodyLengthMismatch() }
        return .source(source, next: next, left: left - next.readableBytes)
    }
}

/// A source had fewer or more bytes than its announced length.
struct BodyLengthMismatch: Error, CustomStringConvertible {
    var description: String { "the content has another length than was promised" }
}
