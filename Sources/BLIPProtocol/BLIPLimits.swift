/// Every size the protocol fixes or a peer may use up, with its reason.
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
    /// Bytes of a message that is handed out whole. Sync Gateway's documents end at 20 MB.
    public var messageBytes = 32 << 20
    /// If true, a larger request is read to its end, discarded and refused with 413, so that only the request fails: if
    /// the connection ended, the client would send the same request again on the next one. If false, the connection
    /// ends.
    public var refusesLargeRequests = true
    /// Small requests of this profile that await no answer are handed out after all requests that were begun earlier;
    /// `nil` for none.
    public var orderedProfile: String?
    /// Bytes of all messages together of which some frames are still to come.
    public var incompleteBytes = 64 << 20
    /// Bytes of incomplete messages beyond which only one of them is acknowledged, so that the others wait at their
    /// sender: peers send large messages side by side.
    public var acknowledgedIncompleteBytes = 8 << 20
    /// Messages of which some frames are still to come; each costs memory even when empty.
    public var incompleteMessages = 1_024
    /// Requests of the peer that we have not answered; a peer that never waits for answers is cut off.
    public var unansweredRequests = 100_000
    /// Bytes that are queued and not yet in frames; there are too many only if the peer does not read and our sender
    /// ignores `sent`.
    public var queuedBytes = 256 << 20

    public var flow = Flow()
    public var compression = Compression()

    /// Requests that are held to keep their order, and the bytes of each; further ones are handed out at once. So a peer
    /// that never ends a message cannot hold others up for ever, and the held ones take at most 16 MiB.
    static let heldRequests = 1_024
    static let heldRequestBytes = 16_384

    /// Bytes that an empty incomplete message takes, approximately.
    static let bytesOfMessage = 256

    /// Bytes that are read from a body source at once: a frame, rounded to a multiple of disk blocks.
    static let sourceStep = 16_384

    public init() {}

    /// The limits of a client. Two hundred requested documents may arrive side by side, each as far as the sender goes
    /// without an acknowledgement, and each may inflate to megabytes. A client trusts its server, and the reference has
    /// no limit here.
    public static var client: BLIPLimits {
        var limits = BLIPLimits()
        limits.incompleteBytes = 1 << 30
        // A requested revision that was refused as too large would be waited for.
        limits.refusesLargeRequests = false
        // The last rows of a gateway may have several frames, and so be complete only after the message which says that
        // no more rows follow. Only such messages are held: small documents behind a large one would be lost with the
        // connection.
        limits.orderedProfile = "changes"
        return limits
    }

    /// When the two sides of a long message wait for each other.
    public struct Flow: Sendable, Hashable {
        /// Unacknowledged bytes of one message at which its sender waits.
        public var stallBytes: UInt64 = 128_000
        /// New bytes of an incomplete message at which its receiver acknowledges.
        public var acknowledgeBytes: UInt64 = 50_000
    }

    /// How zlib compresses the frames that this side sends.
    public struct Compression: Sendable, Hashable {
        /// At 0 nothing is sent compressed. The reference senders use 6, which makes documents of 300 bytes 7 % smaller than 3
        /// does, and takes half as long again.
        public var level: Int32 = 3
        /// Bits of the window's size: 8 KiB hold the last twenty small documents, and a peer takes any up to 15.
        public var windowBits: Int32 = 13
        /// With that window it makes 64 KiB a connection, instead of 256.
        public var memoryLevel: Int32 = 6
    }
}
