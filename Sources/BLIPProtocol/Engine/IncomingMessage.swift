import NIOCore

/// An incoming message, as far as it has arrived.
struct IncomingMessage {
    let key: MessageKey
    let type: FrameType
    /// Where the reply goes; `nil` for a request.
    let route: OutgoingMessage.ReplyRoute?
    /// Payload that is not handed out yet.
    var content = ByteBuffer()
    /// Whether the properties of a streamed reply have been read.
    private(set) var isStreaming = false
    private var received: UInt64 = 0
    private var acknowledged: UInt64 = 0
    private var receivedAtLastLook: UInt64?
    /// The request is too large: the rest of it is discarded.
    private(set) var isRefused = false
    /// Its acknowledgement is due, and waits until other messages are complete.
    var isWithheld = false

    init(key: MessageKey, type: FrameType, route: OutgoingMessage.ReplyRoute? = nil) {
        self.key = key
        self.type = type
        self.route = route
    }

    /// Errors are short: they are never streamed.
    var wantsStreaming: Bool { type == .response && (route?.streams ?? false) }

    /// Counts a frame, by its bytes after the header; returns whether it is time to acknowledge.
    mutating func countFrame(of bytes: Int, threshold: UInt64) -> Bool {
        received += UInt64(bytes)
        return received - acknowledged >= threshold
    }

    /// Whether more bytes have come since the last look, or the sender may not go on; true for the first look.
    mutating func noteLook() -> Bool {
        defer { receivedAtLastLook = received }
        return isWithheld || receivedAtLastLook != received
    }

    mutating func refuse() {
        isRefused = true
        content = ByteBuffer()
    }

    /// Returns how many bytes to acknowledge.
    mutating func acknowledge() -> UInt64 {
        isWithheld = false
        acknowledged = received
        return received
    }

    /// Takes the received part of a streamed reply's body, without its properties.
    mutating func takePart(limit: Int) throws(BLIPError) -> ByteBuffer {
        if !isStreaming {
            guard try PropertyBlock.decode(from: &content, limit: limit) != nil else { return ByteBuffer() }
            isStreaming = true
        }
        let part = content.slice()
        content = ByteBuffer()
        return part
    }
}
