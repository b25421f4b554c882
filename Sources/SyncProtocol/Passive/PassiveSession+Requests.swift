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
        case .rev: try rev(message, number)
        case .norev: break
        case .getAttachment: try getAttachment(message, number)
        case .getRev: try getRev(message, number)
        case .ping: respond(number)
        case .proveAttachment: throw .unknownProfile(message.profile)
        }
    }

    private mutating func getCollections(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        guard named == nil else { throw .badRequest("getCollections was already called on this connection") }
        let request = try GetCollections(message)
        guard request.collections.count <= PassiveLimits.collections else {
            throw .badRequest("More than \(PassiveLimits.collections) collections")
        }
        for name in request.collections {
            guard (try? CollectionName(parsing: name)) != nil else {
                throw .badRequest("Invalid collection name '\(name)'")
            }
        }
        let id = job(.collections(number: number))
        actions.append(.resolveCollections(id, names: request.collections, checkpointIDs: request.checkpointIDs))
    }

    private mutating func getCheckpoint(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try GetCheckpoint(message)
        let id = job(.loadCheckpoint(number: number))
        actions.append(.loadCheckpoint(id, collection: collection, client: request.client))
    }

    private mutating func setCheckpoint(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        let request = try SetCheckpoint(message)
        let id = job(.saveCheckpoint(number: number))
        actions.append(
            .saveCheckpoint(
                id, collection: collection, client: request.client, revision: request.revision, body: request.body))
    }

    private mutating func subChanges(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        guard feeds[collection] == nil else { throw .http(500, "Changes feed is already running") }
        let options = try SubChanges(message)
        guard options.since.map({ SequenceID(parsing: $0) != nil }) ?? true else {
            throw .badRequest("Invalid subChanges parameters")
        }
        guard options.documentIDs == nil || !options.isContinuous else {
            throw .badRequest("DocIDs filter not supported for continuous subChanges")
        }
        feeds[collection] = PassiveFeed(options: options)
        feeds[collection]?.isAskedForRows = true
        let id = job(.openFeed(number: number, collection: collection))
        actions.append(.openFeed(id, collection: collection, options))
    }

    private mutating func unsubChanges(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        let collection = try collection(of: message)
        if feeds.removeValue(forKey: collection) != nil { actions.append(.closeFeed(collection: collection)) }
        respond(number)
    }

    /// Clients announce their changes by `proposeChanges`; an empty `changes` says that there are none.
    private mutating func changes(_ message: BLIPMessage, _ number: UInt32?) throws(BLIPErrorReply) {
        _ = try collection(of: message)
        let request = try Changes(message)
        guard request.rows.isEmpty else { throw .http(409, "Use 'proposeChanges' instead") }
        respond(number)
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
        guard rev.deltaSource == nil || rev.isDeleted else { throw .badRequest("Deltas are disabled for this peer") }
        let revision = try PushedBody.read(rev)
        let size = message.body.readableBytes
        queuedBytes += size
        pushes[collection, default: PassivePush()].queue.append(
            PassivePush.Pushed(number: number, revision: revision, size: size))
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
        let wish = RevisionWish(documentID: documentID, revision: "")
        let id = job(
            .getRevision(number: number, wish, ifNotRev: message.properties.nonEmpty(MessageProperty.ifNotRev)))
        actions.append(.loadRevisions(id, collection: collection, [wish]))
    }
}
