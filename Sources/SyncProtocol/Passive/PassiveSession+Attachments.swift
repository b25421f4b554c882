import BLIPProtocol
import DocumentValues
import NIOCore

/// Attachments of pushed revisions: asked for before the revision is stored, a few revisions at a time.
extension PassiveSession {
    mutating func fetch(_ needs: [AttachmentNeed], for pushed: PushedRevision) {
        let isAskedTwice = needs.contains { pushed.revision.provided[$0.digest] != nil }
        guard !isAskedTwice, !needs.isEmpty, needs.count <= PassiveLimits.attachmentsPerRevision else {
            return refuse(pushed.number, .http(500, "Attachments could not be fetched"))
        }
        guard waitingBytes + pushed.bytes <= PassiveLimits.waitingBytes else {
            return refuse(pushed.number, .http(503, "Too many revisions wait for attachments"))
        }
        waitingBytes += pushed.bytes
        fetchQueue.append(AttachmentFetch(pushed, needs: needs))
    }

    /// Begins with as many revisions as may be fetched for at the same time, always with one.
    mutating func startFetches() {
        while let next = fetchQueue.first {
            let bytes = fetches.values.reduce(0) { $0 + $1.expectedBytes }
            let fits =
                fetches.count < PassiveLimits.fetches
                && bytes + next.expectedBytes <= PassiveLimits.fetchedBytes
            guard fits || fetches.isEmpty else { return }
            fetchQueue.removeFirst()
            let key = nextNumber()
            fetches[key] = next
            for need in next.needs { ask(need, of: next.pushed, fetch: key) }
        }
    }

    private mutating func ask(_ need: AttachmentNeed, of pushed: PushedRevision, fetch: UInt64) {
        let tag = nextNumber()
        attachmentRequests[tag] = AttachmentRequest(fetch: fetch, need: need)
        let collection = wireIndex(pushed.collection)
        let request =
            switch need {
            case .content(let digest):
                GetAttachment(collection: collection, digest: digest, documentID: pushed.revision.documentID).request
            case .proof(let digest, let nonce):
                ProveAttachment(collection: collection, digest: digest, nonce: nonce).request
            }
        outgoing.append(.request(request, tag: tag))
    }

    // MARK: Answers of the client

    /// Parts of an attachment's bytes.
    mutating func receiveAttachmentPart(_ tag: UInt64, _ bytes: ByteBuffer, isLast: Bool) {
        guard let request = attachmentRequests[tag], let fetch = fetches[request.fetch] else { return }
        guard request.content.count + bytes.readableBytes <= PassiveLimits.attachmentBytes,
            fetch.pushed.providedBytes + bytes.readableBytes <= PassiveLimits.attachmentBytesPerRevision
        else { return giveUp(request.fetch, .http(413, "Attachment too large")) }
        waitingBytes += bytes.readableBytes
        fetches[request.fetch]?.pushed.providedBytes += bytes.readableBytes
        attachmentRequests[tag]?.content.append(contentsOf: bytes.readableBytesView)
        if isLast { attachmentAnswered(tag, attachmentRequests[tag]?.content ?? []) }
    }

    /// All of an attachment's bytes, or a proof.
    mutating func attachmentAnswered(_ tag: UInt64, _ bytes: [UInt8]) {
        guard let request = attachmentRequests.removeValue(forKey: tag), var fetch = fetches[request.fetch] else {
            return
        }
        fetch.pushed.revision.provided[request.need.digest] =
            switch request.need {
            case .content: .content(bytes)
            case .proof(_, let nonce): .proof(String(decoding: bytes, as: UTF8.self), nonce: nonce)
            }
        fetches[request.fetch] = fetch
        guard fetch.isComplete else { return }
        fetches[request.fetch] = nil
        waitingBytes -= fetch.pushed.bytes
        enqueue(fetch.pushed)
    }

    /// A client that does not know the bytes it should prove is asked for them; any other refusal fails the revision.
    mutating func attachmentRefused(_ tag: UInt64, _ error: BLIPErrorReply) {
        guard let request = attachmentRequests.removeValue(forKey: tag), let fetch = fetches[request.fetch] else {
            return
        }
        switch request.need {
        case .proof(let digest, _) where error.code == 404:
            ask(.content(digest: digest), of: fetch.pushed, fetch: request.fetch)
        case .proof: giveUp(request.fetch, .http(403, "Incorrect proof for attachment"))
        case .content: giveUp(request.fetch, .http(500, "Attachment could not be fetched: \(error)"))
        }
    }

    private mutating func giveUp(_ key: UInt64, _ error: BLIPErrorReply) {
        guard let fetch = fetches.removeValue(forKey: key) else { return }
        attachmentRequests = attachmentRequests.filter { $0.value.fetch != key }
        waitingBytes -= fetch.pushed.bytes
        refuse(fetch.pushed.number, error)
    }
}
