/// Every size the protocol fixes or a peer may use up, with its reason.
public struct BLIPLimits: Sendable, Hashable {
    /// Bytes of a frame on the wire, for a message that nothing urgent waits behind.
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
    /// A larger request is read to its end, thrown away and refused with 413, so that it alone fails: a connection that
    /// ended there would end there again. Where not, the connection ends.
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
    /// Bytes handed over and not yet made into frames; the peer does not read, and its writer did not heed `sent`.
    public var queuedBytes = 256 << 20

    /// Unacknowledged bytes of one message at which its sender waits.
    public var stallBytes: UInt64 = 128_000
    /// New bytes of an incomplete message at which its receiver acknowledges.
    public var acknowledgeBytes: UInt64 = 50_000

    /// Requests that are held for the sake of their order, and the bytes of each; what is beyond is handed out at once. So
    /// a peer that never ends a message holds nothing for ever, and what is held takes 16 MiB at most.
    static let heldRequests = 1_024
    static let heldRequestBytes = 16_384

    /// Bytes that an incomplete message takes when it is empty, about.
    static let bytesOfMessage = 256

    /// Bytes that are asked of a body source at once: a frame, rounded to what disks like.
    static let sourceStep = 16_384

    /// zlib's level; at 0 nothing is sent compressed. The reference senders use 6, which makes documents of 300 bytes 7 %
    /// smaller than 3 does, and takes half as long again.
    public var compressionLevel: Int32 = 3
    /// Bits of the window's size: 8 KiB hold the last twenty small documents, and a peer takes any up to 15.
    public var compressionWindowBits: Int32 = 13
    /// zlib's memory level. With that window it makes 64 KiB a connection, instead of 256.
    public var compressionMemoryLevel: Int32 = 6

    public init() {}

    /// A client's. What it has asked for may come side by side, two hundred documents, each as far as its sender goes
    /// without an acknowledgement; that may inflate to megabytes each, and a client knows whom it asks. The reference has
    /// no limit here.
    public static var client: BLIPLimits {
        var limits = BLIPLimits()
        limits.incompleteBytes = 1 << 30
        // A revision that was asked for and refused would be waited for.
        limits.refusesLargeRequests = false
        // A gateway's last rows may have several frames, and come after the frame that says that nothing more follows. Only
        // that is held: small documents behind a large one would be lost with the connection.
        limits.orderedProfile = "changes"
        return limits
    }
}
