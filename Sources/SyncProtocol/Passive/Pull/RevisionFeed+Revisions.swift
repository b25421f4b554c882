import BLIPProtocol
import DocumentValues

/// Loads the requested revisions, as many together as can be held, and sends them.
extension RevisionFeed {
    /// The tags of the batches with revisions that wait to be loaded.
    var batchesToLoad: [UInt64] { batches.filter { $0.value.waitsToBeLoaded }.map(\.key) }

    mutating func load(_ tag: UInt64, _ context: inout PassiveContext) {
        let roomForDeltas = context.configuration.usesDeltas ? context.revisions.roomForDeltas : 0
        guard var batch = batches[tag], let load = context.revisions.beginLoad(of: batch.wanted.count) else { return }
        batch.loadBegan(load)
        let requests = requests(batch.loading, roomForDeltas: roomForDeltas)
        batches[tag] = batch
        context.output.begin(.loadRevisions(collection: index, batch: tag)) { id in
            .loadRevisions(id, collection: index, requests, upTo: load.limit)
        }
    }

    /// The requests for the driver. The first ancestor that a client names is the one to which it accepts a difference
    /// (§6.8).
    ///
    /// While the client is storing a revision of a document, it may lose the body of the ancestor that it has just
    /// named: so until it has answered, the next revision is sent as a whole.
    private func requests(_ load: [AnnouncedBatch.Wanted], roomForDeltas: Int) -> [RevisionRequest] {
        var room = roomForDeltas
        var onTheirWay: Set<Name> = []
        if room > 0 {
            let others = deltas.values.map(\.wanted) + batches.values.flatMap(\.loading)
            onTheirWay = Set(others.map { Name($0.row.documentID) })
        }
        return load.map { wanted in
            var request = RevisionRequest(documentID: wanted.row.documentID, revision: wanted.row.revision)
            let isFirst = room > 0 && onTheirWay.insert(Name(request.documentID)).inserted
            guard isFirst, !wanted.isWhole, let source = wanted.ancestors.first else {
                return request
            }
            room -= 1
            request.deltaSource = source
            return request
        }
    }

    mutating func revisionsLoaded(_ result: PassiveResult, of tag: UInt64, _ context: inout PassiveContext) {
        guard var batch = batches[tag], case .loading(let wanted, let load) = batch.stage else { return }
        context.revisions.loadEnded(load)
        guard case .revisions(let loaded) = result, !loaded.isEmpty, loaded.count <= wanted.count else {
            end(tag, &context)
            return context.output.close(by: .close(code: 4001, reason: "The revisions could not be read"))
        }
        context.revisions.note(loaded)
        for (wanted, revision) in zip(wanted, loaded) { send(revision, for: wanted, of: (tag, batch.terms), &context) }
        batch.loadEnded(loaded.count)
        batches[tag] = batch
    }

    private mutating func send(
        _ loaded: LoadedRevision, for wanted: AnnouncedBatch.Wanted,
        of batch: (tag: UInt64, terms: AnnouncedBatch.Terms), _ context: inout PassiveContext
    ) {
        let message = RevisionMessage(loaded, for: wanted, terms: batch.terms, collection: context.wireIndex(index))
        let tag = context.output.send(message.request, as: .rev, collection: index)
        unsent[tag] = Unsent(batch: batch.tag, bytes: loaded.bodyCount)
        context.revisions.willSend(loaded.bodyCount)
        served.allow(message.attachments, of: wanted.row.documentID, until: tag)
        guard message.isDelta else { return }
        deltas[tag] = SentDelta(wanted: wanted, terms: batch.terms)
        context.revisions.deltaSent()
    }

    /// When the last revision of a batch has been sent, another batch may begin.
    mutating func revisionSent(_ tag: UInt64, _ context: inout PassiveContext) {
        guard let sent = unsent.removeValue(forKey: tag) else { return }
        context.revisions.sent(sent.bytes)
        guard var batch = batches[sent.batch] else { return }
        batch.revisionSent()
        keep(batch, tag: sent.batch, &context)
    }

    // MARK: - Answers of the client

    mutating func revisionAnswered(_ tag: UInt64, _ context: inout PassiveContext) {
        served.end(tag)
        if deltas.removeValue(forKey: tag) != nil { context.revisions.deltaAnswered() }
    }

    /// A client that could not apply a difference gets the whole revision. It is read again: keeping it for these few
    /// clients would cost memory for all.
    ///
    /// Only if the difference was the reason: a stock client that failed because of an attachment (404) has given the
    /// revision up, and sending it again would end the client's whole replication.
    mutating func revisionRefused(_ tag: UInt64, with error: BLIPErrorReply, _ context: inout PassiveContext) {
        let sent = deltas[tag]
        revisionAnswered(tag, &context)
        guard let sent, SyncFailure(error).isOfDelta else { return }
        var wanted = sent.wanted
        wanted.isWhole = true
        let again = context.output.tag(.changes, collection: index)
        open(AnnouncedBatch(again: wanted, sent.terms), tag: again, &context)
    }
}
