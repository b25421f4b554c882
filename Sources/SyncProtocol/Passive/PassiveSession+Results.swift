import BLIPProtocol
import DocumentValues

/// The dispatch of each job's result to the part that requested it.
extension PassiveSession {
    mutating func complete(_ job: PassiveJob, id: JobID, with result: PassiveResult) {
        switch job {
        case .resolveCollections(let number): collectionsResolved(result, replyTo: number)
        case .loadCheckpoint(let number): checkpointLoaded(result, replyTo: number)
        case .saveCheckpoint(let number): checkpointSaved(result, replyTo: number)
        case .openFeed(let index, let number):
            collections[index].feed.opened(id, replyTo: number, with: result, &context)
        case .nextRows(let index, let feed): collections[index].feed.rowsRead(result, of: feed, &context)
        case .checkAnnounced(let number, let rows, let bytes):
            context.announcedBytes -= bytes
            PushReceiver.answerAnnouncement(number, of: rows, with: result, &context)
        case .checkProposed(let number, let rows, let includesRevision, let bytes):
            context.announcedBytes -= bytes
            PushReceiver.answerProposal(number, of: rows, includesRevision: includesRevision, with: result, &context)
        case .loadSources: for pushed in deltas.sourcesLoaded(result, &context) { store(pushed) }
        case .storeRevisions(let index, let batch):
            collections[index].receiver.stored(batch, with: result, needing: &attachments, &context)
        case .loadRevisions(let index, let batch):
            collections[index].feed.revisionsLoaded(result, of: batch, &context)
        case .getRevision(let number, let ifNotRev): revisionRead(result, unless: ifNotRev, replyTo: number)
        case .keepAttachment(let tag, let bytes): store(attachments.kept(bytes, of: tag, with: result, &context))
        }
    }

    private mutating func collectionsResolved(_ result: PassiveResult, replyTo number: UInt32?) {
        guard case .collections(let answers) = result else {
            context.naming = .undecided
            return context.output.refuse(number, with: result.error)
        }
        guard answers.count(where: { $0 == .unknown }) <= PassiveLimits.unknownCollections else {
            context.naming = .undecided
            let message = "More than \(PassiveLimits.unknownCollections) of the collections are unknown"
            return context.output.refuse(number, with: .http(404, message: message))
        }
        context.naming = .byIndex(answers.map { $0 != .unknown })
        collections = answers.indices.map { PassiveCollection(index: $0) }
        let entries = answers.map { answer -> GetCollectionsReply.Entry in
            switch answer {
            case .unknown: .unknown
            case .known(nil, _): .noCheckpoint
            case .known(let body?, let revision): .checkpoint(body, revision: revision)
            }
        }
        context.output.respond(
            to: number, [BLIPProperties.contentTypeKey: "application/json"],
            body: GetCollectionsReply(entries: entries).body, isCompressed: true)
    }

    private mutating func checkpointLoaded(_ result: PassiveResult, replyTo number: UInt32?) {
        guard case .checkpoint(let body, let revision) = result else {
            return context.output.refuse(number, with: result.error)
        }
        guard let body, let revision else { return context.output.refuse(number, with: .http(404, message: "missing")) }
        context.output.respond(
            to: number, [MessageProperty.rev: revision, BLIPProperties.contentTypeKey: "application/json"],
            body: JSONWriter(sortsKeys: true).bytes(.object(body)), isCompressed: true)
    }

    private mutating func checkpointSaved(_ result: PassiveResult, replyTo number: UInt32?) {
        guard case .saved(let revision) = result else { return context.output.refuse(number, with: result.error) }
        context.output.respond(to: number, [MessageProperty.rev: revision])
    }

    private mutating func revisionRead(_ result: PassiveResult, unless ifNotRev: String?, replyTo number: UInt32?) {
        guard case .revisions(let loaded) = result, let first = loaded.first else {
            return context.output.refuse(number, with: result.error)
        }
        switch first {
        case .found(let revision, _, let isDeleted, let body, _):
            if isDeleted { return context.output.refuse(number, with: .http(404, message: "deleted")) }
            if revision.description == ifNotRev {
                return context.output.refuse(number, with: .http(304, message: "Not Modified"))
            }
            context.output.respond(
                to: number,
                [MessageProperty.rev: revision.description, BLIPProperties.contentTypeKey: "application/json"],
                body: body, isCompressed: true)
        case .delta: context.output.refuse(number, with: .http(500, message: "Internal error: unexpected result"))
        case .removed: context.output.refuse(number, with: .http(403, message: "forbidden"))
        case .unavailable(let status, let reason): context.output.refuse(number, with: .http(status, message: reason))
        }
    }
}

extension PassiveResult {
    /// Why a job came to nothing.
    var error: BLIPErrorReply {
        switch self {
        case .failed(let error): error
        case .done, .collections, .checkpoint, .saved, .rows, .wanted, .proposals, .sources, .stored, .revisions:
            .http(500, message: "Internal error: unexpected result")
        }
    }
}
