import BLIPProtocol
import DocumentValues
import NIOCore

/// Pushed revisions: to the store in batches, attachments first where they are missing.
extension PassiveSession {
    /// While the store works on a batch the next one gathers, so that batches grow with the load.
    mutating func startStores() {
        for collection in pushes.keys.sorted() {
            guard var push = pushes[collection], !push.isStoring, !push.queue.isEmpty else { continue }
            push.storing = push.takeBatch()
            push.isStoring = true
            pushes[collection] = push
            let id = job(.store(collection: collection))
            actions.append(.storeRevisions(id, collection: collection, push.storing.map(\.revision)))
        }
    }

    mutating func revisionsStored(_ collection: Int, _ result: PassiveResult) {
        guard var push = pushes[collection] else { return }
        let batch = push.storing
        push.storing = []
        push.isStoring = false
        pushes[collection] = push
        guard case .stored(let outcomes) = result, outcomes.count == batch.count else {
            for pushed in batch { settle(pushed, Self.error(result)) }
            return
        }
        for (pushed, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .stored: settle(pushed, nil)
            case .refused(let error): settle(pushed, error)
            case .needs(let needs): ask(for: needs, pushed, collection)
            }
        }
    }

    private mutating func settle(_ pushed: PassivePush.Pushed, _ error: BLIPErrorReply?) {
        queuedBytes -= pushed.size + pushed.providedBytes
        if let error { refuse(pushed.number, error) } else { respond(pushed.number) }
    }

    private mutating func ask(for needs: [AttachmentNeed], _ pushed: PassivePush.Pushed, _ collection: Int) {
        let fresh = needs.filter { pushed.revision.provided[$0.digest] == nil }
        guard fresh.count == needs.count, needs.count <= PassiveLimits.attachmentsPerRevision else {
            return settle(pushed, .http(500, "Attachments could not be fetched"))
        }
        var pushed = pushed
        pushed.needs = needs
        let key = nextNumber()
        waitingForAttachments[key] = (collection, pushed)
        for need in needs {
            let tag = nextNumber()
            attachmentRequests[tag] = AttachmentRequest(pushed: key, need: need)
            outgoing.append(.request(question(need, pushed, collection), tag: tag))
        }
    }

    private func question(_ need: AttachmentNeed, _ pushed: PassivePush.Pushed, _ collection: Int) -> BLIPRequest {
        switch need {
        case .content(let digest):
            GetAttachment(
                collection: wireIndex(collection), digest: digest, documentID: pushed.revision.documentID
            ).request
        case .proof(let digest, let nonce):
            ProveAttachment(collection: wireIndex(collection), digest: digest, nonce: nonce).request
        }
    }

    mutating func receiveAttachmentPart(_ tag: UInt64, _ bytes: ByteBuffer, isLast: Bool) {
        guard let request = attachmentRequests[tag] else { return }
        let total = waitingForAttachments[request.pushed]?.pushed.providedBytes ?? 0
        guard total + bytes.readableBytes <= PassiveLimits.attachmentBytes else {
            partial[tag] = nil
            return attachmentRefused(tag, .http(413, "Attachments too large"))
        }
        queuedBytes += bytes.readableBytes
        waitingForAttachments[request.pushed]?.pushed.providedBytes += bytes.readableBytes
        partial[tag, default: []].append(contentsOf: bytes.readableBytesView)
        if isLast { provide(.content(partial.removeValue(forKey: tag) ?? []), tag) }
    }

    mutating func attachmentProved(_ tag: UInt64, _ proof: String) {
        guard case .proof(_, let nonce)? = attachmentRequests[tag]?.need else {
            return provide(.content(Array(proof.utf8)), tag)
        }
        provide(.proof(proof, nonce: nonce), tag)
    }

    /// A client that does not know the bytes it should prove is asked for them; any other refusal fails the revision.
    mutating func attachmentRefused(_ tag: UInt64, _ error: BLIPErrorReply) {
        guard let request = attachmentRequests.removeValue(forKey: tag),
            let waiting = waitingForAttachments[request.pushed]
        else { return }
        if case .proof(let digest, _) = request.need, error.code == 404 {
            let again = nextNumber()
            let need = AttachmentNeed.content(digest: digest)
            attachmentRequests[again] = AttachmentRequest(pushed: request.pushed, need: need)
            outgoing.append(.request(question(need, waiting.pushed, waiting.collection), tag: again))
            return
        }
        waitingForAttachments[request.pushed] = nil
        attachmentRequests = attachmentRequests.filter { $0.value.pushed != request.pushed }
        let status = if case .proof = request.need { 403 } else { error.code == 413 ? 413 : 500 }
        let text = status == 403 ? "Incorrect proof for attachment" : "Attachment could not be fetched: \(error)"
        settle(waiting.pushed, .http(status, text))
    }

    private mutating func provide(_ attachment: ProvidedAttachment, _ tag: UInt64) {
        guard let request = attachmentRequests.removeValue(forKey: tag),
            var waiting = waitingForAttachments[request.pushed]
        else { return }
        waiting.pushed.revision.provided[request.need.digest] = attachment
        guard waiting.pushed.revision.provided.count == Set(waiting.pushed.needs.map(\.digest)).count else {
            waitingForAttachments[request.pushed] = waiting
            return
        }
        waitingForAttachments[request.pushed] = nil
        pushes[waiting.collection, default: PassivePush()].queue.append(waiting.pushed)
    }
}
