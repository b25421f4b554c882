import BLIPProtocol
import DocumentValues

/// Where each message goes.
extension PassiveSession {
    mutating func receive(_ event: BLIPIncoming) {
        switch event {
        case .request(let message): receiveRequest(message)
        case .response(let tag, let message): receiveResponse(message, to: RequestTag(tag))
        case .failure(let tag, let error): receiveFailure(error, of: RequestTag(tag))
        case .responsePart(let tag, let bytes, let isLast):
            store(attachments.received(bytes, isLast: isLast, of: tag, &context))
        case .sent(let tag):
            guard let index = collection(of: RequestTag(tag)) else { return }
            collections[index].feed.revisionSent(tag, &context)
        }
    }

    private func collection(of tag: RequestTag) -> Int? {
        collections.indices.contains(tag.collection) ? tag.collection : nil
    }

    private mutating func receiveResponse(_ message: BLIPMessage, to tag: RequestTag) {
        guard let index = collection(of: tag) else { return }
        switch tag.kind {
        case .changes: collections[index].feed.changesAnswered(tag.value, with: message, &context)
        case .rev: collections[index].feed.revisionAnswered(tag.value, &context)
        case .attachment: store(attachments.answered(tag.value, with: message, &context))
        case .getCollections, .getCheckpoint, .setCheckpoint, .subChanges, .proposeChanges, .other: break
        }
    }

    private mutating func receiveFailure(_ error: BLIPErrorReply, of tag: RequestTag) {
        guard let index = collection(of: tag) else { return }
        switch tag.kind {
        case .changes: collections[index].feed.changesRefused(tag.value, &context)
        case .rev: collections[index].feed.revisionRefused(tag.value, with: error, &context)
        case .attachment: attachments.refused(tag.value, with: error, &context)
        case .getCollections, .getCheckpoint, .setCheckpoint, .subChanges, .proposeChanges, .other: break
        }
    }

    // MARK: - Requests

    mutating func dispatch(
        _ message: BLIPMessage, as profile: MessageProfile, replyTo number: UInt32?
    ) throws(BLIPErrorReply) {
        switch profile {
        case .getCollections: try getCollections(message, replyTo: number)
        case .getCheckpoint: try getCheckpoint(message, replyTo: number)
        case .setCheckpoint: try setCheckpoint(message, replyTo: number)
        case .subChanges: try collections[collection(of: message)].feed.subscribe(message, replyTo: number, &context)
        case .unsubChanges:
            try collections[collection(of: message)].feed.unsubscribe(&context)
            context.output.respond(to: number)
        case .changes: try collections[collection(of: message)].receiver.announced(message, replyTo: number, &context)
        case .proposeChanges:
            try collections[collection(of: message)].receiver.proposed(message, replyTo: number, &context)
        case .rev, .putRev: try rev(message, replyTo: number)
        case .getAttachment: try getAttachment(message, replyTo: number)
        case .getRev: try getRev(message, replyTo: number)
        case .norev, .ping: context.output.respond(to: number)
        case .proveAttachment: throw .unknownProfile(message.profile)
        }
    }

    /// The collection to which a request refers.
    mutating func collection(of message: BLIPMessage) throws(BLIPErrorReply) -> Int {
        try context.naming.collection(of: message, hasDefault: context.configuration.hasDefaultCollection)
    }
}
