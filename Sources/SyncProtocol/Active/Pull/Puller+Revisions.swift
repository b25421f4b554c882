import BLIPProtocol
import DocumentValues
import NIOCore

/// The revisions that come, from their arrival to the store.
extension Puller {
    mutating func revArrived(_ message: BLIPMessage, _ context: inout ActiveContext) throws(BLIPErrorReply) {
        let rev = try Rev(message)
        guard let sequence = rev.sequence else { throw .badRequest("Missing 'sequence'") }
        announcements.note(bytes: rev.body.readableBytes)
        let (feedIndex, isRequested) = takeRequest(for: sequence)
        let replyTo = message.isNoReply ? nil : message.number
        do throws(SyncFailure) {
            let revision = try Self.received(rev)
            let arrival = Arrival(
                sequence: sequence, feedIndex: feedIndex, replyTo: replyTo, isRequested: isRequested, revision: revision
            )
            if let source = rev.deltaSource, !rev.isDeleted {
                guard let source = RevisionID(source) else { throw Self.badRevision(source) }
                let difference = Arrival.Difference(source: source, delta: rev.body.byteArray)
                arrivals.add(arrival, at: .difference(difference))
            } else {
                sort(arrival, with: try Self.body(of: rev), &context)
            }
        } catch {
            let row = Ended(
                sequence: sequence, documentID: rev.documentID, isDeleted: rev.isDeleted, replyTo: replyTo)
            end(row, as: .failed(error), &context)
        }
    }

    private static func received(_ rev: Rev) throws(SyncFailure) -> PulledRevision {
        guard rev.revision.utf8.count <= SyncLimits.revisionBytes, let revision = RevisionID(rev.revision) else {
            throw badRevision(rev.revision)
        }
        guard let history = RevisionHistory(parsing: rev.history) else { throw badRevision(rev.history) }
        return PulledRevision(
            documentID: rev.documentID, revision: revision, history: history, isDeleted: rev.isDeleted, body: .empty)
    }

    private static func body(of rev: Rev) throws(SyncFailure) -> PulledBody {
        // A tombstone that is declared as a difference has no content, whatever its source had (§6.8).
        let isEmpty = rev.body.readableBytes == 0 || rev.deltaSource != nil
        do throws(JSONError) {
            return try PulledBody(reading: isEmpty ? Array("{}".utf8) : rev.body.byteArray)
        } catch {
            throw SyncFailure(.liteCore, code: SyncFailure.corruptDataCode, message: "The body is not JSON: \(error)")
        }
    }

    /// The whole revision is known: its content decides on the next stage.
    mutating func sort(_ arrival: Arrival, with body: PulledBody, _ context: inout ActiveContext) {
        switch body {
        case .removed(let rest):
            guard !isByName else { return end(arrival, as: .dismissed, &context) }
            crossing.noteHandled(arrival.documentID)
            access.lost(arrival.documentID, at: arrival.feedIndex)
            let document = LostDocument(
                documentID: arrival.documentID, revision: arrival.revision.revision, body: rest)
            let lost = Lost(
                sequence: arrival.sequence, document: document, replyTo: arrival.replyTo, isCounted: arrival.isRequested
            )
            purge([lost], &context)
        case .document(let body):
            var arrival = arrival
            arrival.revision.body = body
            arrivals.add(arrival, at: body.named.isEmpty && !terms.hasFilter ? .ready : .unexamined)
        }
    }

    /// The gateway reports that a requested revision will not come; no other message shows that. Often the document does
    /// not exist any more, which is no failure.
    mutating func norevArrived(_ message: BLIPMessage, _ context: inout ActiveContext) {
        let norev = NoRev(message)
        // A revision that has come is done when it is stored: a checkpoint must not contain it before.
        guard let sequence = norev.sequence, let request = announcements.answered(sequence: sequence) else { return }
        let row = Ended(sequence: sequence, documentID: request.documentID)
        // Without a status, the message has no other meaning.
        guard ![0, 404].contains(norev.error) else { return end(row, as: .dismissed, &context) }
        end(row, as: .failed(.http(norev.error, message: norev.reason ?? "")), &context)
    }

    // MARK: - Filter and blobs

    mutating func examineArrivals(_ context: inout ActiveContext) {
        let batch = arrivals.pop(.unexamined)
        guard !batch.isEmpty else { return }
        let revisions = batch.map { arrivals[$0].revision }
        for handle in batch { arrivals.move(handle, to: .examining) }
        context.output.begin(.examine(collection: index, batch)) { id in
            .examine(id, collection: index, revisions)
        }
    }

    mutating func examined(
        _ batch: [ArrivalTable.Handle], with results: [Examination], _ context: inout ActiveContext
    ) {
        for (handle, result) in zip(batch, results) {
            switch result {
            case .accepted(let missing) where missing.isEmpty: arrivals.move(handle, to: .ready)
            case .accepted(let missing):
                arrivals.move(handle, to: .fetching)
                attachments.add(handle, arrival: arrivals[handle], missing: missing.map { Name($0) })
            case .vetoed: end(arrivals.remove(handle), as: .failed(.rejectedByPullFilter), &context)
            }
        }
    }

    mutating func fetched(_ tag: UInt64, failure: SyncFailure?, _ context: inout ActiveContext) {
        let outcome = attachments.finished(tag, failure: failure, &context)
        for handle in outcome.complete { arrivals.move(handle, to: .ready) }
        if let (handle, failure) = outcome.failed { end(arrivals.remove(handle), as: .failed(failure), &context) }
    }

    // MARK: - Store

    /// While the store works on a batch, the next one is collected, so that batches grow with the load.
    mutating func store(_ context: inout ActiveContext) {
        guard !arrivals.isStoring, !arrivals.isEmpty(.ready) else { return }
        if access.hasLosses {
            // Revisions that were announced before the loss of access are not stored after it.
            for handle in arrivals.pop(.ready, where: { access.isVoid($0) }) { dismiss(handle, &context) }
        }
        let batch = arrivals.pop(.ready, limit: ActiveLimits.revisionsPerInsert)
        guard !batch.isEmpty else { return }
        for handle in batch { arrivals.move(handle, to: .storing) }
        context.output.begin(.storeRevisions(collection: index, batch)) { id in
            .storeRevisions(id, collection: index, batch.map { arrivals[$0].revision })
        }
    }

    /// The revision is not stored, since it is out of date.
    mutating func dismiss(_ handle: ArrivalTable.Handle, _ context: inout ActiveContext) {
        end(arrivals.remove(handle), as: .dismissed, &context)
    }

    /// - Returns: documents whose content is the same on both sides, perhaps under another revision id: they are not in
    ///   conflict.
    mutating func stored(
        _ batch: [ArrivalTable.Handle], with outcomes: [InsertOutcome<SyncFailure>], _ context: inout ActiveContext
    ) -> [AnnouncedRevision] {
        var conflicts: [String] = []
        var known: [AnnouncedRevision] = []
        for (handle, outcome) in zip(batch, outcomes) {
            if case .missingBlob = outcome, arrivals.examineAgain(handle) { continue }
            let arrival = arrivals.remove(handle)
            switch outcome {
            case .inserted:
                known.append(arrival.announced)
                end(arrival, as: .stored, &context)
            case .alreadyThere: end(arrival, as: .dismissed, &context)
            case .sameContent:
                known.append(arrival.announced)
                end(arrival, as: .dismissed, &context)
            case .conflict:
                conflicts.append(arrival.documentID)
                end(arrival, as: .dismissed, &context)
            case .missingBlob(let failure), .failed(let failure): end(arrival, as: .failed(failure), &context)
            }
        }
        if !conflicts.isEmpty { resolve(conflicts, &context) }
        return known
    }
}
