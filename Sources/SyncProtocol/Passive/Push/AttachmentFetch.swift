import DocumentValues
import NIOCore

/// A pushed revision whose attachments are being fetched from the client.
struct AttachmentFetch: Sendable {
    private(set) var pushed: PushedRevision
    /// The attachments that the store needs, each digest once.
    private let needs: [AttachmentNeed]
    /// The expected bytes, according to the metadata.
    let expectedBytes: Int
    /// The received bytes of all attachments.
    var receivedBytes = 0
    /// How many of the needs were requested, in their order, and how many were answered.
    private var asked = 0
    private var answered = 0

    /// - Parameter attachmentBytes: of one attachment.
    init(_ pushed: PushedRevision, needs: [AttachmentNeed], attachmentBytes: Int) {
        self.pushed = pushed
        var seen: Set<Name> = []
        self.needs = needs.filter { seen.insert(Name($0.digest)).inserted }
        expectedBytes = self.needs.expectedBytes(in: pushed.revision.attachments ?? [:], atMost: attachmentBytes)
    }

    var isComplete: Bool { answered == needs.count }

    mutating func take(_ attachment: ProvidedAttachment, for digest: String) {
        pushed.revision.provided[Name(digest)] = attachment
        answered += 1
    }

    /// The next attachments to request, at most so many.
    mutating func nextNeeds(_ count: Int) -> ArraySlice<AttachmentNeed> {
        let next = needs[asked...].prefix(count)
        asked = next.endIndex
        return next
    }
}

/// A request to the client for one attachment, and the received part of the answer.
struct AttachmentRequest: Sendable {
    /// The part of the content that the driver has.
    enum Keeping: Sendable {
        case nothing
        /// It is writing a piece, and gets the next one after that.
        case underWay
        /// It has all pieces that it was given.
        case done
    }

    /// The key of the revision for which it is requested.
    let fetch: Int
    let need: AttachmentNeed
    /// The received bytes.
    private(set) var receivedBytes = 0
    private(set) var keeping = Keeping.nothing
    /// Received bytes that the driver has not been given yet.
    private var waiting = ByteBuffer()
    private var hasEnded = false

    init(fetch: Int, need: AttachmentNeed) {
        self.fetch = fetch
        self.need = need
    }

    var waitingBytes: Int { waiting.readableBytes }

    mutating func take(_ bytes: ByteBuffer, isLast: Bool) {
        receivedBytes += bytes.readableBytes
        waiting.writeImmutableBuffer(bytes)
        hasEnded = isLast
    }

    /// Whether the driver has all of it.
    var isKept: Bool {
        switch keeping {
        case .nothing, .underWay: false
        case .done: hasEnded && waitingBytes == 0
        }
    }

    /// - Returns: the next piece for the driver; for an empty attachment it gets an empty one.
    mutating func nextPiece() -> ByteBuffer? {
        switch keeping {
        case .underWay: return nil
        case .done where waitingBytes == 0: return nil
        case .nothing, .done: break
        }
        keeping = .underWay
        defer { waiting = ByteBuffer() }
        return waiting
    }

    mutating func pieceKept() { keeping = .done }
}
