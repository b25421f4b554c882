import BLIPProtocol
import DocumentValues
import NIOCore

/// Attachments of pushed revisions: asked for before the revision is stored, a few revisions at a time.
extension PassiveSession {
    mutating func fetch(_ needs: [AttachmentNeed], for pushed: PushedRevision) {
        let isAskedTwice = needs.contains { pushed.revision.provided[Name($0.digest)] != nil }
        guard !isAskedTwice, !needs.isEmpty else {
            drop(pushed.handles)
            return refuse(pushed.number, .http(500, "Attachments could not be fetched"))
        }
        guard needs.count <= PassiveLimits.attachmentsPerRevision else {
            drop(pushed.handles)
            return refuse(pushed.number, .http(413, "More than \(PassiveLimits.attachmentsPerRevision) attachments"))
        }
        guard waitingBytes + pushed.bytes <= PassiveLimits.waitingBytes else {
            drop(pushed.handles)
            return refuse(pushed.number, .http(503, "Too many revisions wait for attachments"))
        }
        waitingBytes += pushed.bytes
        fetchQueue.append(AttachmentFetch(pushed, needs: needs, attachmentBytes: attachmentBytes))
    }

    /// Begins with as many revisions as may be fetched for at the same time, always with one, and asks for what is due.
    mutating func startFetches() {
        beginFetches()
        for key in fetches.keys.sorted() { askOn(key) }
    }

    private mutating func beginFetches() {
        while let next = fetchQueue.first {
            let bytes = fetches.values.reduce(0) { $0 + $1.expectedBytes }
            let fits =
                fetches.count < PassiveLimits.fetches
                && bytes + next.expectedBytes <= PassiveLimits.fetchedBytes
            guard fits || fetches.isEmpty else { return }
            fetchQueue.removeFirst()
            fetches[nextNumber()] = next
        }
    }

    private mutating func askOn(_ key: UInt64) {
        let room = PassiveLimits.attachmentsAskedAtOnce - attachmentRequests.count
        guard room > 0, var fetch = fetches[key] else { return }
        let needs = fetch.nextNeeds(room)
        fetches[key] = fetch
        for need in needs { ask(need, of: fetch.pushed, fetch: key) }
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

    /// Parts of an attachment's bytes: to the driver with them, one piece at a time.
    mutating func receiveAttachmentPart(_ tag: UInt64, _ bytes: ByteBuffer, isLast: Bool) {
        // Looked at where they are: a copy of what has come would be copied whole with the next bytes.
        guard let key = attachmentRequests[tag]?.fetch, let ofAttachment = attachmentRequests[tag]?.receivedBytes,
            let ofAll = fetches[key]?.receivedBytes
        else { return }
        let count = bytes.readableBytes
        guard ofAttachment + count <= attachmentBytes else { return giveUp(key, .http(413, "Attachment too large")) }
        let together = max(
            PassiveLimits.attachmentBytesPerRevision, PassiveLimits.largestAttachmentsPerRevision * attachmentBytes)
        guard ofAll + count <= together else {
            return giveUp(key, .http(413, "The attachments of one revision are too large together"))
        }
        storeBytes += count
        fetches[key]?.receivedBytes += count
        attachmentRequests[tag]?.take(bytes, isLast: isLast)
        keepAttachment(tag)
    }

    private mutating func keepAttachment(_ tag: UInt64) {
        guard let request = attachmentRequests[tag], !request.isBeingKept else { return }
        // Also of an empty attachment the driver has to know.
        guard request.waiting.readableBytes > 0 || !request.hasHandle else {
            if request.hasEnded { attachmentArrived(tag, .content(AttachmentHandle(tag))) }
            return
        }
        let id = job(.keepAttachment(tag: tag, bytes: request.waiting.readableBytes))
        actions.append(.keepAttachment(id, AttachmentHandle(tag), request.waiting))
        attachmentRequests[tag]?.waiting = ByteBuffer()
        attachmentRequests[tag]?.isBeingKept = true
        attachmentRequests[tag]?.hasHandle = true
    }

    mutating func attachmentKept(_ tag: UInt64, _ bytes: Int, _ result: PassiveResult) {
        storeBytes -= bytes
        guard let request = attachmentRequests[tag] else { return drop([AttachmentHandle(tag)]) }
        attachmentRequests[tag]?.isBeingKept = false
        guard case .done = result else { return giveUp(request.fetch, Self.error(result)) }
        keepAttachment(tag)
    }

    /// A proof.
    mutating func attachmentAnswered(_ tag: UInt64, _ message: BLIPMessage) {
        switch attachmentRequests[tag]?.need {
        case .proof(_, let nonce):
            attachmentArrived(tag, .proof(String(decoding: message.bodyBytes, as: UTF8.self), nonce: nonce))
        case .content: receiveAttachmentPart(tag, message.body, isLast: true)
        case nil: return
        }
    }

    private mutating func attachmentArrived(_ tag: UInt64, _ provided: ProvidedAttachment) {
        guard let request = attachmentRequests.removeValue(forKey: tag) else { return }
        fetches[request.fetch]?.take(provided, for: request.need.digest)
        guard fetches[request.fetch]?.isComplete == true, let fetch = fetches.removeValue(forKey: request.fetch) else {
            return
        }
        waitingBytes -= fetch.pushed.bytes
        enqueue(fetch.pushed)
    }

    /// A client that does not know the bytes it should prove is asked for them; any other refusal fails the revision.
    mutating func attachmentRefused(_ tag: UInt64, _ error: BLIPErrorReply) {
        guard let request = attachmentRequests[tag], let fetch = fetches[request.fetch] else { return }
        switch request.need {
        case .proof(let digest, _) where error.code == 404:
            attachmentRequests[tag] = nil
            ask(.content(digest: digest), of: fetch.pushed, fetch: request.fetch)
        case .proof: giveUp(request.fetch, .http(403, "Incorrect proof for attachment"))
        case .content: giveUp(request.fetch, .http(500, "Attachment could not be fetched: \(error)"))
        }
    }

    private mutating func giveUp(_ key: UInt64, _ error: BLIPErrorReply) {
        guard let fetch = fetches.removeValue(forKey: key) else { return }
        drop(fetch.pushed.handles)
        for (tag, request) in attachmentRequests where request.fetch == key {
            attachmentRequests[tag] = nil
            storeBytes -= request.waiting.readableBytes
            // What the driver is working on is dropped when that is done.
            if request.hasHandle, !request.isBeingKept { drop([AttachmentHandle(tag)]) }
        }
        waitingBytes -= fetch.pushed.bytes
        refuse(fetch.pushed.number, error)
    }

    mutating func drop(_ handles: [AttachmentHandle]) {
        if !handles.isEmpty { actions.append(.dropAttachments(handles)) }
    }
}
