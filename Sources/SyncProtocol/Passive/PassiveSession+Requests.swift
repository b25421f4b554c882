import BLIPProtocol
import DocumentValues
import NIOCore

/// Requests of the client, one function a profile.
extension PassiveSession {
    mutating func receiveRequest(_ message: BLIPMessage) {
        let number = message.isNoReply ? nil : message.number
        do throws(BLIPErrorReply) {
            guard let profile = message.profile.flatMap({ MessageProfile(rawValue: $0) }) else {
                throw .unknownProfile(message.profile)
            }
            try dispatch(profile, message, number)
        } catch {
            refuse(number, error)
        }
    }

    private mutating func dispatch(
        _ profile: MessageProfile, _ message: BLIPMessage, _ number: UInt32?
    ) throws(BLIPErrorReply) {
        switch profile {
        case .getCollections: try getCollections(message, number)
        case .getCheckpoint: try getCheckpoint(message, number)
        case .setCheckpoint: try setCheckpoint(message, number)
        case .subChanges: try subChanges(message, number)
        case .unsubChanges: try unsubChanges(message, number)
        case .changes: try changes(message, number)
        case .proposeChanges: try proposeChanges(message, number)
        case .rev, .putRev: try rev(message, number)
        case .norev: respond(number)
        case .getAttachment: try getAttachment(message, number)
        case .getRev: try getRev(message, number)
        case .ping: respond(number)
        case .proveAttachment: throw .unknownProfile(message.profile)
        }
    }

    private mutating func getCollections(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        // Later it would change what the indexes of open feeds and attachments mean.
        guard naming == .undecided else { throw .badRequest("getCollections must be the first message") }
        let request = try GetCollections(message)
        guard request.collections.count <= PassiveLimits.collections else {
            throw .badRequest("More than \(PassiveLimits.collections) collections")
        }
        for name in request.collections {
            guard (try? CollectionName(parsing: name)) != nil else {
                throw .badRequest("Invalid collection name '\(name)'")
            }
        }
        for client in request.checkpointIDs { try checkCheckpointID(client) }
        naming = .resolving
        let id = job(.collections(number: number))
        actions.append(.resolveCollections(id, names: request.collections, checkpointIDs: request.checkpointIDs))
    }

    private func checkCheckpointID(_ client: String) throws(BLIPErrorReply) {
        guard !client.isEmpty, client.utf8.count <= PassiveLimits.checkpointIDBytes else {
            throw .badRequest("Invalid checkpoint ID")
        }
    }

    private mutating func getCheckpoint(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try GetCheckpoint(message)
        try checkCheckpointID(request.client)
        let id = job(.loadCheckpoint(number: number))
        actions.append(.loadCheckpoint(id, collection: collection, client: request.client))
    }

    private mutating func setCheckpoint(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try SetCheckpoint(message)
        try checkCheckpointID(request.client)
        guard request.body.count <= PassiveLimits.checkpointBytes, (try? JSONObject(parsing: request.body)) != nil
        else { throw .badRequest("Invalid checkpoint") }
        let id = job(.saveCheckpoint(number: number))
        actions.append(
            .saveCheckpoint(
                id, collection: collection, client: request.client, revision: request.revision, body: request.body))
    }

    private mutating func subChanges(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        guard feeds[collection] == nil else { throw .http(500, "Changes feed is already running") }
        guard abandonedFeeds < PassiveLimits.abandonedFeeds else { throw .http(503, "Too many feeds were given up") }
        let options = try SubChanges(message)
        guard options.since.map({ SequenceID(parsing: $0) != nil }) ?? true else {
            throw .badRequest("Invalid subChanges parameters")
        }
        guard options.documentIDs == nil || !options.isContinuous else {
            throw .badRequest("DocIDs filter not supported for continuous subChanges")
        }
        let id = JobID(nextNumber())
        jobs[id] = .openFeed(number: number, collection: collection, feed: id)
        feeds[collection] = PassiveFeed(id: id, options: options)
        actions.append(.openFeed(id, collection: collection, options))
    }

    private mutating func unsubChanges(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        closeFeed(collection)
        respond(number)
    }

    /// Clients announce their changes by `proposeChanges` where there must be no conflicts, which this message would not
    /// report; an empty `changes` says that there are none.
    private mutating func changes(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try Changes(message)
        guard !request.rows.isEmpty else { return respond(number) }
        guard allowsConflicts else { throw .http(409, "Use 'proposeChanges' instead") }
        let id = job(.announce(number: number))
        actions.append(.checkAnnounced(id, collection: collection, request.rows))
    }

    private mutating func proposeChanges(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try ProposeChanges(message)
        guard !request.rows.isEmpty else { return respond(number) }
        let id = job(.propose(number: number, includesRevision: request.conflictIncludesRev))
        actions.append(.checkProposed(id, collection: collection, request.rows))
    }

    private mutating func rev(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let rev = try Rev(message)
        // A tombstone has no content that could differ, whatever it says of its source.
        if let source = rev.deltaSource, !rev.isDeleted {
            try pushDelta(rev, source, collection, number)
        } else {
            try push(rev, collection, number)
        }
    }

    private mutating func getAttachment(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try GetAttachment(message)
        let documentID: String
        if let named = request.documentID {
            documentID = named
        } else if version == .version2 {
            documentID = served.document(referringTo: request.digest, collection: collection) ?? ""
        } else {
            throw .badRequest("Missing 'docID'")
        }
        guard served.allows(request.digest, of: documentID, collection: collection) else {
            throw .http(403, "Attachment's doc not being synced")
        }
        guard let number else { return }
        actions.append(
            .serveAttachment(
                number: number, collection: collection, documentID: documentID, digest: request.digest,
                compresses: request.compresses))
    }

    private mutating func getRev(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        guard let documentID = message.properties.nonEmpty(MessageProperty.id) else {
            throw .badRequest("Missing 'id'")
        }
        let request = RevisionRequest(documentID: documentID, revision: "")
        let id = job(
            .getRevision(number: number, ifNotRev: message.properties.nonEmpty(MessageProperty.ifNotRev)))
        actions.append(.loadRevisions(id, collection: collection, [request], upTo: PassiveLimits.loadedBytes))
    }
}
