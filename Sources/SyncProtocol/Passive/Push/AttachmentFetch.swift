import DocumentValues
import NIOCore

/// A pushed revision whose attachments are being fetched from the client.
struct AttachmentFetch: Sendable {
    private(set) var pushed: PushedRevision
    /// What the store asked for, each digest once.
    private let needs: [AttachmentNeed]
    /// What the metadata say of the bytes to come.
    let expectedBytes: Int
    /// What has come of all attachments together.
    var receivedBytes = 0
    /// How many of the needs were asked for, in their order, and how many were answered.
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

    /// What to ask for next, at most so many.
    mutating func nextNeeds(_ count: Int) -> ArraySlice<AttachmentNeed> {
        let next = needs[asked...].prefix(count)
        asked = next.endIndex
        return next
    }
}

/// A question to the client about one attachment, and what has come of the answer.
struct AttachmentRequest: Sendable {
    /// What the driver has of the content.
    enum Keeping: Sendable {
        case nothing
        /// It is at work on a piece, and gets the next one when it has dealt with that.
        case underWay
        /// All that it was given.
        case done
    }

    /// Which revision it is for.
    let fetch: Int
    let need: AttachmentNeed
    /// What has come of it.
    private(set) var receivedBytes = 0
    private(set) var keeping = Keeping.nothing
    /// What the driver has not been given yet.
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

    /// - Returns: what the driver is to keep now; also of an empty attachment it has to know.
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
