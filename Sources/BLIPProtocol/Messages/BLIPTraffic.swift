import NIOCore

/// A request to be sent.
public struct BLIPRequest: Sendable, Equatable {
    public var properties: BLIPProperties
    public var body: BLIPBody
    /// Goes before messages that are not urgent, and so does its reply.
    public var isUrgent: Bool
    public var isCompressed: Bool
    /// The peer must not answer.
    public var isNoReply: Bool
    /// The reply is handed out in parts as it arrives (`BLIPIncoming.responsePart`) instead of as a whole.
    public var streamsReply: Bool
    /// The peer receives it completely before any later ordered message: its frames follow each other, with only urgent
    /// ones in between, and wait for no acknowledgements. For messages of some hundred kilobytes at most, which are not
    /// urgent.
    public var isOrdered: Bool

    public init(
        properties: BLIPProperties, body: BLIPBody = .empty, isUrgent: Bool = false, isCompressed: Bool = false,
        isNoReply: Bool = false, streamsReply: Bool = false, isOrdered: Bool = false
    ) {
        self.properties = properties
        self.body = body
        self.isUrgent = isUrgent
        self.isCompressed = isCompressed
        self.isNoReply = isNoReply
        self.streamsReply = streamsReply
        self.isOrdered = isOrdered
    }
}

/// Messages that the owner of an engine sends.
public enum BLIPOutgoing: Sendable, Equatable {
    /// A request; the caller chooses the tag, which comes back with the reply.
    case request(BLIPRequest, tag: UInt64)
    /// The answer to the peer's request of this number. Answers for which the peer does not wait (to a no-reply
    /// request, or a second answer) are left out, so that handlers need not check.
    case response(to: UInt32, properties: BLIPProperties, body: BLIPBody, isCompressed: Bool)
    case failure(to: UInt32, BLIPErrorReply)
}

/// Events and messages for the owner of an engine.
public enum BLIPIncoming: Sendable, Hashable {
    case request(BLIPMessage)
    case response(tag: UInt64, BLIPMessage)
    case failure(tag: UInt64, BLIPErrorReply)
    /// A part of the reply to a request that asked for `streamsReply`; its properties are not handed out. An empty last
    /// part is possible. A failure comes as `failure`, before any part.
    case responsePart(tag: UInt64, ByteBuffer, isLast: Bool)
    /// The last frame of that request was made: it no longer counts as queued.
    case sent(tag: UInt64)
}
