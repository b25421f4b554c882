import BLIPProtocol
import DocumentValues
import NIOCore

/// Requests that are not handled by a collection's part, one function a profile.
extension PassiveSession {
    // MARK: - The opening

    mutating func getCollections(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        // Later it would change the meaning of the indexes of open feeds and attachments.
        guard context.naming == .undecided else { throw .badRequest("getCollections must be the first message") }
        let request = try GetCollections(message)
        guard request.collections.count <= PassiveLimits.collections else {
            throw .badRequest("More than \(PassiveLimits.collections) collections")
        }
        var names: [CollectionName] = []
        var named: Set<CollectionName> = []
        for name in request.collections {
            guard let collection = try? CollectionName(parsing: name) else {
                throw .badRequest("Invalid collection name '\(name)'")
            }
            // Each index takes memory for its part.
            guard named.insert(collection).inserted else {
                throw .badRequest("The collection '\(name)' is named twice")
            }
            names.append(collection)
        }
        for client in request.checkpointIDs { try checkCheckpointID(client) }
        context.naming = .resolving
        context.output.begin(.resolveCollections(request: number)) { id in
            .resolveCollections(id, names: names, checkpointIDs: request.checkpointIDs)
        }
    }

    private func checkCheckpointID(_ client: String) throws(BLIPErrorReply) {
        guard !client.isEmpty, client.utf8.count <= PassiveLimits.checkpointIDBytes else {
            throw .badRequest("Invalid checkpoint ID")
        }
    }

    mutating func getCheckpoint(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try GetCheckpoint(message)
        try checkCheckpointID(request.client)
        context.output.begin(.loadCheckpoint(request: number)) { id in
            .loadCheckpoint(id, collection: collection, client: request.client)
        }
    }

    mutating func setCheckpoint(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try SetCheckpoint(message)
        try checkCheckpointID(request.client)
        guard request.body.count <= PassiveLimits.checkpointBytes, (try? JSONObject(parsing: request.body)) != nil
        else { throw .badRequest("Invalid checkpoint") }
        context.output.begin(.saveCheckpoint(request: number)) { id in
            .saveCheckpoint(
                id, collection: collection, client: request.client, revision: request.revision, body: request.body)
        }
    }

    // MARK: - Revisions

    mutating func rev(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let rev = try Rev(message)
        do throws(BLIPErrorReply) { try take(rev, collection: collection, replyTo: number) } catch {
            context.noteRefusal(of: rev.documentID, revision: rev.revision, collection: collection, with: error)
            throw error
        }
    }

    /// The refusal to note for a revision that the driver refuses before the session sees it; `nil` for another
    /// message.
    package func refused(_ message: BLIPMessage, with error: BLIPErrorReply) -> RefusedRevision? {
        guard let profile = message.profile.flatMap({ MessageProfile(exactly: $0) }),
            profile == .rev || profile == .putRev
        else { return nil }
        // A copy, so that this message does not decide how later ones name their collections.
        var naming = context.naming
        let hasDefault = context.configuration.hasDefaultCollection
        guard let collection = try? naming.collection(of: message, hasDefault: hasDefault), let rev = try? Rev(message)
        else { return nil }
        return RefusedRevision(
            collection: collection, documentID: rev.documentID, revision: rev.revision, error: error)
    }

    private mutating func take(_ rev: Rev, collection: Int, replyTo number: UInt32?) throws(BLIPErrorReply) {
        // A tombstone has no content that could be a difference, even if it names a source.
        if let source = rev.deltaSource, !rev.isDeleted {
            guard context.configuration.usesDeltas else { throw .badRequest("Deltas are disabled for this peer") }
            try deltas.append(PushedDelta(rev, from: source, collection: collection, number: number), &context)
        } else {
            store(try PushedRevision(rev, collection: collection, number: number))
        }
    }

    mutating func getRev(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        guard let documentID = message.properties.nonEmpty(MessageProperty.id) else {
            throw .badRequest("Missing 'id'")
        }
        let request = RevisionRequest(documentID: documentID, revision: "")
        let ifNotRev = message.properties.nonEmpty(MessageProperty.ifNotRev)
        context.output.begin(.getRevision(request: number, ifNotRev: ifNotRev)) { id in
            .loadRevisions(id, collection: collection, [request], upTo: PassiveLimits.loadedBytes)
        }
    }

    mutating func getAttachment(_ message: BLIPMessage, replyTo number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try GetAttachment(message)
        let served = collections[collection].feed.served
        let documentID: String
        if let named = request.documentID {
            documentID = named
        } else if context.configuration.version == .version2 {
            documentID = served.document(referringTo: request.digest) ?? ""
        } else {
            throw .badRequest("Missing 'docID'")
        }
        guard served.allows(request.digest, of: documentID) else {
            throw .http(403, message: "Attachment's doc not being synced")
        }
        guard let number else { return }
        context.output.append(
            .serveAttachment(
                number: number, collection: collection, documentID: documentID, digest: request.digest,
                compresses: request.compresses))
    }
}
