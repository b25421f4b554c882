import NIOCore

/// An outgoing message: the part that is not sent yet.
struct OutgoingMessage {
    /// Where the reply to a request goes.
    struct ReplyRoute {
        var tag: UInt64
        var streams: Bool
        var isExpected: Bool
    }

    let type: FrameType
    /// 0 for a request until its first frame is made: numbers follow the order of the first frames.
    var number: UInt32
    let isUrgent: Bool
    let isOrdered: Bool
    let isCompressed: Bool
    /// Requests only.
    let route: ReplyRoute?
    private(set) var hasStarted = false
    private var head: ByteBuffer
    private var body: BodyReader

    init(
        type: FrameType, number: UInt32, isUrgent: Bool, isOrdered: Bool = false, isCompressed: Bool,
        route: ReplyRoute? = nil, head: ByteBuffer, body: BodyReader
    ) {
        self.type = type
        self.number = number
        self.isUrgent = isUrgent
        self.isOrdered = isOrdered
        self.isCompressed = isCompressed
        self.route = route
        self.head = head
        self.body = body
    }

    var key: MessageKey { MessageKey(number: number, isReply: type != .request) }

    var isAtEnd: Bool { head.readableBytes == 0 && body.isAtEnd }

    var bytesInMemory: Int { head.readableBytes + body.bytesInMemory }

    var flags: FrameFlags {
        var flags: FrameFlags = []
        if isCompressed { flags.insert(.compressed) }
        if isUrgent { flags.insert(.urgent) }
        if let route, !route.isExpected { flags.insert(.noReply) }
        if !isAtEnd { flags.insert(.moreComing) }
        return flags
    }

    mutating func nextPayload(upTo count: Int) throws(BLIPError) -> FramePayload {
        hasStarted = true
        var payload = FramePayload()
        payload.head = head.readSlice(length: min(count, head.readableBytes)) ?? ByteBuffer()
        do {
            payload.body = try body.next(upTo: count - payload.head.readableBytes)
        } catch {
            // Part of the message is out; BLIP has no way to take it back.
            throw BLIPError(.sourceFailed, detail: "\(error)", messageNumber: number)
        }
        return payload
    }
}
