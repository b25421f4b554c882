import NIOCore

/// The body of a message to be sent.
public enum BLIPBody: Sendable {
    case bytes(ByteBuffer)
    /// Content that is read piece by piece while it is sent, so that it takes little memory, whatever its size.
    ///
    /// With a `length`, a source with fewer or more bytes fails: a truncated file must not arrive as if it were
    /// complete.
    case source(any BLIPBodySource, length: Int?)

    public static let empty = BLIPBody.bytes(ByteBuffer())

    public static func bytes(_ bytes: [UInt8]) -> BLIPBody { .bytes(ByteBuffer(bytes: bytes)) }

    /// The bytes of the body that count towards the limit of queued bytes: content that is not in memory yet does not
    /// count.
    var bytesInMemory: Int {
        switch self {
        case .bytes(let buffer): buffer.readableBytes
        case .source: 0
        }
    }
}

extension BLIPBody: Equatable {
    /// Two sources are never equal, not even one and itself: a source can be read once only.
    public static func == (left: BLIPBody, right: BLIPBody) -> Bool {
        switch (left, right) {
        case (.bytes(let left), .bytes(let right)): left == right
        case (.bytes, .source), (.source, .bytes), (.source, .source): false
        }
    }
}

/// Content that is read while it is sent: a file, a sealed attachment.
public protocol BLIPBodySource: Sendable {
    /// The next bytes, at least 1 and at most `count` of them, or `nil` at the end.
    ///
    /// It is called on the connection's event loop, with the size of a frame: it must not wait for anything but a disk.
    mutating func read(upTo count: Int) throws -> ByteBuffer?
}
