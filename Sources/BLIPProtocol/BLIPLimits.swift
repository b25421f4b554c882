/// The sizes that the protocol fixes, and the limits for a peer, with their reasons.
public struct BLIPLimits: Sendable, Hashable {
    /// Bytes of a frame on the wire, while no urgent message waits.
    public var frameBytes = 16_384
    /// Bytes of a frame when an urgent message waits behind it.
    public var frameBytesWhenUrgentWaits = 4_096
    /// Bytes of an incoming frame before inflating; Couchbase Lite has the same limit for a WebSocket message.
    public var receivedFrameBytes = 1 << 20
    /// Bytes of one frame after inflating. A 16 KiB frame of text holds up to 43 KB in practice, but a sender may put
    /// megabytes of blanks into one; beyond this it is taken for a decompression bomb.
    public var inflatedFrameBytes = 16 << 20
    /// Bytes of a message's properties; Couchbase Lite refuses more.
    public var propertyBytes = 102_400
    /// Bytes of a message that is handed out whole. Sync Gateway allows documents of up to 20 MB.
    public var messageBytes = 32 << 20
    /// If true, a larger request is read to its end, discarded and refused with 413, so that only the request fails: if
    /// the connection ended, the client would send the same request again on the next one. If false, the connection
    /// ends.
    public var refusesLargeRequests = true
    /// Small requests of this profile that await no answer are handed out after all requests that were begun earlier;
    /// `nil` for none.
    public var orderedProfile: String?
    /// Bytes of all incomplete messages together.
    public var incompleteBytes = 64 << 20
    /// Bytes of incomplete messages beyond which only one of them is acknowledged, so that the others wait at their
    /// sender: peers send large messages side by side.
    public var acknowledgedIncompleteBytes = 8 << 20
    /// Incomplete messages; even an empty one costs memory.
    public var incompleteMessages = 1_024
    /// Requests of the peer that we have not answered; a peer that never waits for answers is cut off.
    public var unansweredRequests = 100_000
    /// Bytes that are queued and not yet in frames. The limit is reached only if the peer does not read and our sender
    /// ignores `sent`.
    public var queuedBytes = 256 << 20

    public var flow = Flow()
    public var compression = Compression()

    /// Requests that are held to keep their order, and the bytes of each; further ones are handed out at once. So a peer
    /// that never ends a message cannot delay the others for ever, and the held ones take at most 16 MiB.
    static let heldRequests = 1_024
    static let heldRequestBytes = 16_384

    /// Bytes that an empty incomplete message takes, approximately.
    static let bytesOfMessage = 256

    /// Bytes that are read from a body source at once: a frame, rounded to a multiple of disk blocks.
    static let sourceStep = 16_384

    public init() {}

    /// The limits of a client. Two hundred requested documents may arrive side by side. Of each, the sender sends as
    /// much as it may without an acknowledgement, which may inflate to megabytes. A client trusts its server, and the
    /// reference has no limit here.
    public static var client: BLIPLimits {
        var limits = BLIPLimits()
        limits.incompleteBytes = 1 << 30
        // The client would go on waiting for a requested revision that it has refused as too large.
        limits.refusesLargeRequests = false
        // The message with a gateway's last rows may have several frames. It may then be complete only after the later
        // message that announces the end of the rows. Documents are not held: small ones behind a large one would be
        // lost with the connection.
        limits.orderedProfile = "changes"
        return limits
    }

    /// The flow control of a long message: when its sender waits, and when its receiver acknowledges.
    public struct Flow: Sendable, Hashable {
        /// Unacknowledged bytes of one message at which its sender waits.
        public var stallBytes: UInt64 = 128_000
        /// New bytes of an incomplete message at which its receiver acknowledges.
        public var acknowledgeBytes: UInt64 = 50_000
    }

    /// How zlib compresses the frames that this side sends.
    public struct Compression: Sendable, Hashable {
        /// At 0 no frame is compressed. The reference senders use 6: compared to 3, documents of 300 bytes become 7 %
        /// smaller, but take 50 % more time.
        public var level: Int32 = 3
        /// Bits of the window's size: 8 KiB hold the last twenty small documents, and a peer accepts up to 15 bits.
        public var windowBits: Int32 = 13
        /// With this window, a connection takes 64 KiB instead of 256.
        public var memoryLevel: Int32 = 6
    }
}
