import BLIPProtocol
import DocumentValues

/// Revisions that the client has asked for: loaded, as many at once as can be held, and sent.
extension RevisionFeed {
    /// The tags of the batches of which something waits to be loaded.
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

    /// What to ask the driver for. The first ancestor that a client names is the one it would have a difference to
    /// (§6.8).
    ///
    /// While a document is on its way the client may still be storing it, and with that lose the body of the ancestor
    /// that it has just named: what comes next is sent whole.
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
            return context.output.append(.close(code: 4001, reason: "The revisions could not be read"))
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

    /// Another batch may take the turn of one whose last revision is on its way.
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

    /// A client that could do nothing with a difference gets the whole. It is read again, since keeping it for the few
    /// that ask would cost memory for all.
    ///
    /// Only where the difference was at fault: a stock client that failed over an attachment (404) has given the revision
    /// up, and a second one ends its whole replication.
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
