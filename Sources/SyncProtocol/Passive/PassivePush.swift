import BLIPProtocol
import DocumentValues
import NIOCore

/// A pushed revision on its way to the store.
struct PushedRevision {
    let collection: Int
    /// The request to answer; `nil` when no answer is wanted.
    let number: UInt32?
    var revision: IncomingRevision
    let bytes: Int

    /// Content that the driver keeps for this revision.
    var handles: [AttachmentHandle] {
        revision.provided.values.compactMap { if case .content(let handle) = $0 { handle } else { nil } }
    }
}

/// The push side of one collection. While the store works on a batch the next one gathers, so that batches grow with
/// the load.
struct PassivePush {
    var queue: [PushedRevision] = []
    /// What the store is working on.
    var storing: [PushedRevision] = []

    mutating func takeBatch() -> [PushedRevision] {
        storing = Array(queue.prefix(PassiveLimits.storeBatch))
        queue.removeFirst(storing.count)
        return storing
    }
}

/// A pushed revision whose attachments are being fetched from the client.
struct AttachmentFetch {
    var pushed: PushedRevision
    /// What the store asked for, each digest once.
    let needs: [AttachmentNeed]
    /// What the metadata say of the bytes to come.
    let expectedBytes: Int
    /// What has come of all attachments together.
    var receivedBytes = 0
    /// How many of the needs were asked for, in their order, and how many were answered.
    private var asked = 0
    private var answered = 0

    init(_ pushed: PushedRevision, needs: [AttachmentNeed], attachmentBytes: Int) {
        self.pushed = pushed
        var seen: Set<Name> = []
        self.needs = needs.filter { seen.insert(Name($0.digest)).inserted }
        let metadata = pushed.revision.attachments?.members ?? []
        let wanted = Set(self.needs.compactMap { if case .content(let digest) = $0 { Name(digest) } else { nil } })
        expectedBytes = metadata.reduce(0) { sum, member in
            guard let digest = member.value["digest"]?.stringValue, wanted.contains(Name(digest)) else { return sum }
            let length = member.value["length"]?.integerValue ?? 0
            return sum + Int(max(0, min(length, Int64(attachmentBytes))))
        }
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
struct AttachmentRequest {
    let fetch: UInt64
    let need: AttachmentNeed
    /// What has come of it.
    var receivedBytes = 0
    /// What the driver has not been given yet: it gets the next piece when it has dealt with the last one.
    var waiting = ByteBuffer()
    var isBeingKept = false
    /// Whether the driver has been given anything.
    var hasHandle = false
    var hasEnded = false

    mutating func take(_ bytes: ByteBuffer, isLast: Bool) {
        receivedBytes += bytes.readableBytes
        waiting.writeImmutableBuffer(bytes)
        hasEnded = isLast
    }
}
