import BLIPProtocol
import DocumentValues

/// Results of the work that was asked for.
extension PassiveSession {
    mutating func complete(_ job: PassiveJob, _ result: PassiveResult) {
        switch job {
        case .collections(let number): collectionsResolved(number, result)
        case .loadCheckpoint(let number): checkpointLoaded(number, result)
        case .saveCheckpoint(let number): checkpointSaved(number, result)
        case .openFeed(let number, let collection, let feed): feedOpened(number, collection, feed: feed, result)
        case .nextRows(let collection, let feed): rowsRead(collection, feed: feed, result)
        case .announce(let number): announcementsChecked(number, result)
        case .propose(let number, let includesRevision): proposalsChecked(number, includesRevision, result)
        case .loadSources(let collection): sourcesLoaded(collection, result)
        case .store(let collection): revisionsStored(collection, result)
        case .loadRevisions(let changes): revisionsLoaded(changes, result)
        case .getRevision(let number, let ifNotRev): revisionRead(number, ifNotRev, result)
        case .keepAttachment(let tag, let bytes): attachmentKept(tag, bytes, result)
        }
    }

    private mutating func collectionsResolved(_ number: UInt32?, _ result: PassiveResult) {
        guard case .collections(let answers) = result else {
            naming = .undecided
            return refuse(number, Self.error(result))
        }
        naming = .byIndex(answers.map { $0 != .unknown })
        let entries = answers.map { answer -> GetCollectionsReply.Entry in
            switch answer {
            case .unknown: .unknown
            case .known(nil, _): .noCheckpoint
            case .known(let body?, let revision): .checkpoint(body, revision: revision)
            }
        }
        respond(
            number, Self.jsonProperties, body: GetCollectionsReply(entries: entries).body, isCompressed: true)
    }

    private mutating func checkpointLoaded(_ number: UInt32?, _ result: PassiveResult) {
        guard case .checkpoint(let body, let revision) = result else { return refuse(number, Self.error(result)) }
        guard let body, let revision else { return refuse(number, .http(404, "missing")) }
        respond(
            number, [MessageProperty.rev: revision, BLIPProperties.contentTypeKey: "application/json"],
            body: JSONWriter(sortsKeys: true).bytes(.object(body)), isCompressed: true)
    }

    private mutating func checkpointSaved(_ number: UInt32?, _ result: PassiveResult) {
        guard case .saved(let revision) = result else { return refuse(number, Self.error(result)) }
        respond(number, [MessageProperty.rev: revision])
    }

    private mutating func announcementsChecked(_ number: UInt32?, _ result: PassiveResult) {
        guard case .wanted(let entries) = result else { return refuse(number, Self.error(result)) }
        var reply = ChangesReply(entries: entries, maxHistory: nil, understandsBlobs: false)
        reply.acceptsDeltas = usesDeltas
        respond(number, reply.properties, body: reply.body, isCompressed: true)
    }

    private mutating func proposalsChecked(
        _ number: UInt32?, _ includesRevision: Bool, _ result: PassiveResult
    ) {
        guard case .proposals(let entries) = result else { return refuse(number, Self.error(result)) }
        let answered = includesRevision ? entries : entries.map(Self.withoutRevision)
        var reply = ProposeChangesReply(entries: answered)
        reply.acceptsDeltas = usesDeltas
        respond(number, reply.properties, body: reply.body, isCompressed: true)
    }

    private static func withoutRevision(_ entry: ProposeChangesReply.Entry) -> ProposeChangesReply.Entry {
        switch entry {
        case .conflict: .conflict(serverRevision: nil)
        case .send, .known, .rejected: entry
        }
    }

    private mutating func revisionRead(_ number: UInt32?, _ ifNotRev: String?, _ result: PassiveResult) {
        guard case .revisions(let loaded) = result, let first = loaded.first else {
            return refuse(number, Self.error(result))
        }
        switch first {
        case .found(let revision, _, let isDeleted, let body, _):
            if isDeleted { return refuse(number, .http(404, "deleted")) }
            if revision.description == ifNotRev { return refuse(number, .http(304, "Not Modified")) }
            respond(
                number, [MessageProperty.rev: revision.description, BLIPProperties.contentTypeKey: "application/json"],
                body: body, isCompressed: true)
        case .delta: refuse(number, .http(500, "Internal error: unexpected result"))
        case .removed: refuse(number, .http(403, "forbidden"))
        case .unavailable(let status, let reason): refuse(number, .http(status, reason))
        }
    }

    static let jsonProperties: BLIPProperties = [BLIPProperties.contentTypeKey: "application/json"]

    static func error(_ result: PassiveResult) -> BLIPErrorReply {
        switch result {
        case .failed(let error): error
        case .done, .collections, .checkpoint, .saved, .rows, .wanted, .proposals, .sources, .stored, .revisions:
            .http(500, "Internal error: unexpected result")
        }
    }
}
