import BLIPProtocol
import DocumentValues
import NIOCore

/// Attachments of pushed revisions: fetched before the revision is stored, a few revisions at a time.
struct PushedAttachments: Sendable {
    private var fetches: [Int: AttachmentFetch] = [:]
    private var lastFetch = 0
    /// Revisions that wait for their turn.
    private var queue = CircularBuffer<AttachmentFetch>()
    /// By tag.
    private var requests: [UInt64: AttachmentRequest] = [:]

    var isEmpty: Bool { fetches.isEmpty && queue.isEmpty && requests.isEmpty }

    // MARK: - Needs

    /// - Parameter needs: the attachments that the store needs before it accepts the revision.
    mutating func fetch(_ needs: [AttachmentNeed], for pushed: PushedRevision, _ context: inout PassiveContext) {
        let isAskedTwice = needs.contains { pushed.revision.provided[Name($0.digest)] != nil }
        guard !isAskedTwice, !needs.isEmpty else {
            return context.refuseAndNote(pushed, with: .http(500, message: "Attachments could not be fetched"))
        }
        guard needs.count <= PassiveLimits.attachmentsPerRevision else {
            let message = "More than \(PassiveLimits.attachmentsPerRevision) attachments"
            return context.refuseAndNote(pushed, with: .http(413, message: message))
        }
        guard context.waitingBytes + pushed.bytes <= PassiveLimits.waitingBytes else {
            return context.refuseAndNote(pushed, with: .http(503, message: "Too many revisions wait for attachments"))
        }
        context.waitingBytes += pushed.bytes
        let attachmentBytes = context.configuration.attachmentBytes
        queue.append(AttachmentFetch(pushed, needs: needs, attachmentBytes: attachmentBytes))
    }

    /// Begins to fetch for as many revisions as allowed at the same time, at least for one, and requests their next
    /// attachments.
    mutating func pump(_ context: inout PassiveContext) {
        beginFetches()
        for key in fetches.keys.sorted() { askNext(key, &context) }
    }

    private mutating func beginFetches() {
        while let next = queue.first {
            let bytes = fetches.values.reduce(0) { $0 + $1.expectedBytes }
            let fits =
                fetches.count < PassiveLimits.fetches
                && bytes + next.expectedBytes <= PassiveLimits.fetchedBytes
            guard fits || fetches.isEmpty else { return }
            queue.removeFirst()
            lastFetch += 1
            fetches[lastFetch] = next
        }
    }

    private mutating func askNext(_ key: Int, _ context: inout PassiveContext) {
        let room = PassiveLimits.attachmentsAskedAtOnce - requests.count
        guard room > 0, let needs = fetches[key]?.nextNeeds(room) else { return }
        for need in needs { ask(need, for: key, &context) }
    }

    private mutating func ask(_ need: AttachmentNeed, for key: Int, _ context: inout PassiveContext) {
        guard let pushed = fetches[key]?.pushed else { return }
        let collection = context.wireIndex(pushed.collection)
        let request =
            switch need {
            case .content(let digest):
                GetAttachment(collection: collection, digest: digest, documentID: pushed.revision.documentID).request
            case .proof(let digest, let nonce):
                ProveAttachment(collection: collection, digest: digest, nonce: nonce).request
            }
        let tag = context.output.send(request, as: .attachment, collection: pushed.collection)
        requests[tag] = AttachmentRequest(fetch: key, need: need)
    }

    // MARK: - Answers of the client

    /// Parts of an attachment's bytes have come: the driver gets them one piece at a time.
    ///
    /// - Returns: a revision that now has all its attachments.
    mutating func received(
        _ bytes: ByteBuffer, isLast: Bool, of tag: UInt64, _ context: inout PassiveContext
    ) -> PushedRevision? {
        // The request is read in place: with a second reference, the next bytes would copy all received ones.
        guard let key = requests[tag]?.fetch, let ofAttachment = requests[tag]?.receivedBytes,
            let ofAll = fetches[key]?.receivedBytes
        else { return nil }
        let count = bytes.readableBytes
        let limit = context.configuration.attachmentBytes
        guard ofAttachment + count <= limit else {
            giveUp(key, error: .http(413, message: "Attachment too large"), &context)
            return nil
        }
        let together = max(
            PassiveLimits.attachmentBytesPerRevision, PassiveLimits.largestAttachmentsPerRevision * limit)
        guard ofAll + count <= together else {
            giveUp(key, error: .http(413, message: "The attachments of one revision are too large together"), &context)
            return nil
        }
        context.storeBytes += count
        fetches[key]?.receivedBytes += count
        requests[tag]?.take(bytes, isLast: isLast)
        return keep(tag, &context)
    }

    /// - Returns: a revision that now has all its attachments.
    private mutating func keep(_ tag: UInt64, _ context: inout PassiveContext) -> PushedRevision? {
        let handle = AttachmentHandle(tag)
        if requests[tag]?.isKept == true { return arrived(.content(handle), for: tag, &context) }
        guard let piece = requests[tag]?.nextPiece() else { return nil }
        context.output.begin(.keepAttachment(tag: tag, bytes: piece.readableBytes)) {
            .keepAttachment($0, handle, piece)
        }
        return nil
    }

    /// - Returns: a revision that now has all its attachments.
    mutating func kept(
        _ bytes: Int, of tag: UInt64, with result: PassiveResult, _ context: inout PassiveContext
    ) -> PushedRevision? {
        context.storeBytes -= bytes
        guard let key = requests[tag]?.fetch else {
            context.drop([AttachmentHandle(tag)])
            return nil
        }
        requests[tag]?.pieceKept()
        guard case .done = result else {
            giveUp(key, error: result.error, &context)
            return nil
        }
        return keep(tag, &context)
    }

    /// The client has answered with a proof.
    ///
    /// - Returns: a revision that now has all its attachments.
    mutating func answered(
        _ tag: UInt64, with message: BLIPMessage, _ context: inout PassiveContext
    ) -> PushedRevision? {
        switch requests[tag]?.need {
        case .proof(_, let nonce):
            let proof = String(decoding: message.bodyBytes, as: UTF8.self)
            return arrived(.proof(proof, nonce: nonce), for: tag, &context)
        case .content: return received(message.body, isLast: true, of: tag, &context)
        case nil: return nil
        }
    }

    private mutating func arrived(
        _ provided: ProvidedAttachment, for tag: UInt64, _ context: inout PassiveContext
    ) -> PushedRevision? {
        guard let request = requests.removeValue(forKey: tag) else { return nil }
        fetches[request.fetch]?.take(provided, for: request.need.digest)
        guard fetches[request.fetch]?.isComplete == true, let fetch = fetches.removeValue(forKey: request.fetch) else {
            return nil
        }
        context.waitingBytes -= fetch.pushed.bytes
        return fetch.pushed
    }

    /// A client that does not know the bytes to prove is asked to send them; any other refusal fails the revision.
    mutating func refused(_ tag: UInt64, with error: BLIPErrorReply, _ context: inout PassiveContext) {
        guard let request = requests[tag] else { return }
        switch request.need {
        case .proof(let digest, _) where error.isOfNoProof:
            requests[tag] = nil
            ask(.content(digest: digest), for: request.fetch, &context)
        case .proof: giveUp(request.fetch, error: .http(403, message: "Incorrect proof for attachment"), &context)
        case .content(let digest):
            let message =
                error.isOfMissing
                ? UnsentAttachment.reason(digest: digest)
                : "The attachment \(digest) could not be fetched from the client: \(error)"
            giveUp(request.fetch, error: .http(500, message: message), &context)
        }
    }

    /// The revision will not get its attachments: it is refused, and nothing more is requested for it.
    private mutating func giveUp(_ key: Int, error: BLIPErrorReply, _ context: inout PassiveContext) {
        guard let fetch = fetches.removeValue(forKey: key) else { return }
        for (tag, request) in requests where request.fetch == key {
            requests[tag] = nil
            context.storeBytes -= request.waitingBytes
            switch request.keeping {
            case .done: context.drop([AttachmentHandle(tag)])
            // A piece that the driver is working on is dropped after that.
            case .nothing, .underWay: break
            }
        }
        context.waitingBytes -= fetch.pushed.bytes
        context.refuseAndNote(fetch.pushed, with: error)
    }
}

extension BLIPErrorReply {
    /// Whether the error reports a missing attachment, in the form of a gateway or of a client.
    fileprivate var isOfMissing: Bool {
        (domain == Self.httpDomain && code == 404) || (domain == "LiteCore" && code == 7)
    }

    /// Whether the client has no bytes to prove, or does not know how: then BLIP answers with 404 in a domain of its own.
    fileprivate var isOfNoProof: Bool { isOfMissing || code == 404 }
}
