import BLIPProtocol
import DocumentValues

/// The opening messages of a session, and the dispatch of each message to its part.
extension ActiveSession {
    mutating func open() {
        guard configuration.namesCollections else {
            phase = .running
            // A client without a checkpoint starts at once; it asks only for the revision that it will overwrite.
            collections[0].checkpointer.ask(&context)
            if collections[0].checkpointer.local == nil { start(0, at: Checkpoint()) }
            return
        }
        phase = .opening
        let request = GetCollections(
            checkpointIDs: configuration.collections.map(\.checkpointID),
            collections: configuration.collections.map(\.name.wireName))
        context.output.send(request.request, as: .getCollections, collection: 0)
    }

    private mutating func start(_ index: Int, at checkpoint: Checkpoint) {
        collections[index].start(at: checkpoint, configuration, version: version, &context)
    }

    private mutating func collectionsAnswered(_ message: BLIPMessage) {
        guard let reply = GetCollectionsReply(message), reply.entries.count == collections.count else {
            return context.fail(.remoteError("Invalid answer to getCollections"))
        }
        let missing = reply.entries.indices.filter { reply.entries[$0] == .unknown }
        let vital = missing.first { !configuration.collections[$0].isOptional }
        // A gateway that has none of them is another one than was meant.
        if let index = vital ?? (missing.count == collections.count ? missing.first : nil) {
            let name = configuration.collections[index].name
            context.fail(.http(404, message: "Collection '\(name)' is not found on the remote server"))
            return close(.normal)
        }
        phase = .running
        if !missing.isEmpty { context.output.append(.leaveOut(collections: missing)) }
        for (index, entry) in reply.entries.enumerated() {
            switch entry {
            case .unknown: collections[index].leaveOut()
            case .noCheckpoint: reconcile(index, server: nil, revision: nil)
            case .checkpoint(let object, let revision): reconcile(index, server: object, revision: revision)
            }
        }
    }

    private mutating func reconcile(_ index: Int, server: JSONObject?, revision: String?) {
        start(index, at: collections[index].checkpointer.reconcile(with: server, revision: revision, &context))
    }

    // MARK: - Incoming

    mutating func receive(_ event: BLIPIncoming) {
        guard !isClosed else { return }
        switch event {
        case .request(let message): receiveRequest(message)
        case .response(let tag, let message):
            context.output.answered(tag)
            receiveResponse(message, to: RequestTag(tag))
        case .failure(let tag, let error):
            context.output.answered(tag)
            receiveFailure(SyncFailure(error), of: RequestTag(tag))
        case .responsePart, .sent: break
        }
    }

    private mutating func receiveResponse(_ message: BLIPMessage, to tag: RequestTag) {
        let index = tag.collection
        switch tag.kind {
        case .getCollections: collectionsAnswered(message)
        case .getCheckpoint:
            let revision = message.properties.nonEmpty(MessageProperty.rev)
            if !collections[index].checkpointer.revisionAnswered(revision, &context) {
                reconcile(index, server: try? JSONObject(parsing: message.bodyBytes), revision: revision)
            }
        case .setCheckpoint: collections[index].checkpointer.saveAnswered(message, &context)
        case .subChanges: collections[index].puller?.subscriptionAnswered()
        case .proposeChanges: collections[index].pusher?.proposalAnswered(tag.value, with: message, &context)
        case .rev: collections[index].pusher?.revAcknowledged(tag.value, &context)
        case .attachment, .changes, .other: break
        }
    }

    private mutating func receiveFailure(_ failure: SyncFailure, of tag: RequestTag) {
        let index = tag.collection
        switch tag.kind {
        case .getCollections:
            // A gateway that does not know collections reports that in the BLIP domain; the session cannot go on.
            context.fail(failure)
            if ClosingRule(failure) == nil { close(.normal) }
        case .getCheckpoint: checkpointQuestionFailed(index, failure: failure)
        case .setCheckpoint: collections[index].checkpointer.saveFailed(failure, &context)
        case .subChanges:
            if let failure = collections[index].puller?.subscriptionFailed(failure) { context.fail(failure) }
        case .proposeChanges:
            collections[index].pusher?.proposalFailed(tag.value)
            context.fail(failure)
        case .rev:
            collections[index].pusher?.revFailed(tag.value, with: failure, &context)
            // An overloaded gateway concerns all documents: it ends the session.
            if failure.domain == .http, failure.code == 503 { context.fail(failure) }
        case .attachment, .changes, .other: break
        }
    }

    private mutating func checkpointQuestionFailed(_ index: Int, failure: SyncFailure) {
        let isMissing = failure.domain == .http && failure.code == 404
        if isMissing, collections[index].checkpointer.revisionAnswered(nil, &context) { return }
        if isMissing { return reconcile(index, server: nil, revision: nil) }
        if collections[index].checkpointer.questionFailed(failure, &context) { return }
        context.fail(failure)
        if ClosingRule(failure) == nil { close(.normal) }
    }

    mutating func dispatch(
        _ message: BLIPMessage, as profile: MessageProfile, replyTo number: UInt32?
    ) throws(BLIPErrorReply) {
        switch profile {
        case .changes:
            let index = try pullingCollection(of: message)
            do throws(BLIPErrorReply) {
                try collections[index].puller?.changesArrived(message, &context)
            } catch {
                // Without valid announcements, nothing can be pulled from the gateway.
                context.fail(SyncFailure(error))
                throw error
            }
        case .rev: try collections[pullingCollection(of: message)].puller?.revArrived(message, &context)
        case .norev:
            try collections[collection(of: message)].puller?.norevArrived(message, &context)
            context.output.respond(to: number)
        case .getAttachment:
            let request = try GetAttachment(message)
            guard let number else { return }
            context.output.append(
                .serveAttachment(number: number, digest: request.digest, compresses: request.compresses))
        case .proveAttachment:
            let request = try ProveAttachment(message)
            guard let number else { return }
            context.output.append(
                .proveAttachment(number: number, digest: request.digest, nonce: request.nonce))
        case .ping: context.output.respond(to: number)
        case .getCollections, .getCheckpoint, .setCheckpoint, .subChanges, .unsubChanges, .proposeChanges, .getRev,
            .putRev:
            throw .unknownProfile(message.profile)
        }
    }

    /// The same for a message that only a pull requests.
    private func pullingCollection(of message: BLIPMessage) throws(BLIPErrorReply) -> Int {
        let index = try collection(of: message)
        guard collections[index].puller != nil else { throw .http(409, message: "Not pulling") }
        return index
    }

    /// The collection that a request of the gateway refers to.
    private func collection(of message: BLIPMessage) throws(BLIPErrorReply) -> Int {
        let text = message.properties.nonEmpty(MessageProperty.collection)
        guard configuration.namesCollections else {
            guard text == nil else { throw .badRequest("No collection was named") }
            return 0
        }
        guard let index = text.flatMap({ Int($0) }), collections.indices.contains(index) else {
            throw .badRequest("Unknown collection")
        }
        return index
    }
}
