import BLIPProtocol
import DocumentValues
import NIOCore

/// Revisions that come, from their arrival to the store.
extension Puller {
    mutating func revArrived(_ message: BLIPMessage, _ context: inout ActiveContext) throws(BLIPErrorReply) {
        let rev = try Rev(message)
        guard let sequence = rev.sequence else { throw .badRequest("Missing 'sequence'") }
        revisionSizes.note(rev.body.readableBytes)
        let place = requested.removeValue(forKey: Name(sequence))?.place ?? sequences.announce(sequence)
        let replyTo = message.isNoReply ? nil : message.number
        do throws(SyncFailure) {
            let revision = try Self.received(rev)
            let arrival = Arrival(sequence: sequence, place: place, replyTo: replyTo, revision: revision)
            if let source = rev.deltaSource, !rev.isDeleted {
                guard let source = RevisionID(source) else { throw Self.badRevision(source) }
                toPatch.append(Difference(arrival: arrival, source: source, delta: rev.body.byteArray))
            } else {
                sort(arrival, try Self.body(of: rev), &context)
            }
        } catch {
            context.completed += 1
            handled(rev.documentID)
            giveUp(sequence, rev.documentID, isDeleted: rev.isDeleted, error, &context)
            context.refuse(replyTo, error.reply)
        }
    }

    private static func received(_ rev: Rev) throws(SyncFailure) -> ReceivedRevision {
        guard rev.revision.utf8.count <= SyncLimits.revisionBytes, let revision = RevisionID(rev.revision) else {
            throw badRevision(rev.revision)
        }
        guard let history = RevisionHistory(parsing: rev.history) else { throw badRevision(rev.history) }
        return ReceivedRevision(
            documentID: rev.documentID, revision: revision, history: history, isDeleted: rev.isDeleted, body: [])
    }

    private static func body(of rev: Rev) throws(SyncFailure) -> PulledBody {
        // A tombstone said to be a difference comes with no content, whatever its source had (§6.8).
        let isEmpty = rev.body.readableBytes == 0 || rev.deltaSource != nil
        do throws(JSONError) {
            return try PulledBody(reading: isEmpty ? Array("{}".utf8) : rev.body.byteArray)
        } catch {
            throw SyncFailure(.liteCore, SyncFailure.corruptDataCode, "The body is not JSON: \(error)")
        }
    }

    mutating func sort(_ arrival: Arrival, _ body: PulledBody, _ context: inout ActiveContext) {
        var arrival = arrival
        switch body {
        case .removed(let rest):
            let documentID = arrival.revision.documentID
            handled(documentID)
            lostPlaces[Name(documentID)] = arrival.place
            let lost = Lost(sequence: arrival.sequence, documentID: documentID, replyTo: arrival.replyTo)
            // It was counted when it was asked for.
            context.total -= min(context.total, 1)
            purge([LostDocument(documentID: documentID, body: rest)], [lost], &context)
        case .document(let bytes, let blobs):
            arrival.revision.body = bytes
            arrival.blobs = blobs
            if blobs.isEmpty, !hasFilter { ready.append(arrival) } else { toExamine.append(arrival) }
        }
    }

    /// A revision that was asked for will not come: the gateway says so, and nothing else does.
    mutating func norevArrived(_ message: BLIPMessage, _ context: inout ActiveContext) {
        guard let sequence = NoRev(message).sequence else { return }
        if let row = requested.removeValue(forKey: Name(sequence)) {
            context.completed += 1
            handled(row.documentID)
        }
        sequences.complete(sequence)
    }

    // MARK: - Filter and blobs

    mutating func examineArrivals(_ context: inout ActiveContext) {
        guard !toExamine.isEmpty else { return }
        let batch = toExamine.map { arrival in
            ExaminedRevision(revision: arrival.revision, digests: arrival.blobs.map(\.digest.text))
        }
        examining.append(toExamine)
        toExamine = []
        context.actions.append(.examine(collection: index, batch))
    }

    mutating func examined(_ results: [Examination], _ context: inout ActiveContext) {
        guard !examining.isEmpty else { return }
        for (arrival, result) in zip(examining.removeFirst(), results) {
            switch result {
            case .accepted(let missing) where missing.isEmpty: ready.append(arrival)
            case .accepted(let missing): downloads.add(arrival, missing: missing.map { Name($0) })
            case .vetoed: refuse(arrival, .rejectedByPullFilter, &context)
            }
        }
    }

    mutating func downloaded(_ tag: UInt64, _ failure: SyncFailure?, _ context: inout ActiveContext) {
        let outcome = downloads.finished(tag, failure, &context)
        ready += outcome.complete
        if let (arrival, failure) = outcome.failed { refuse(arrival, failure, &context) }
    }

    private mutating func refuse(_ arrival: Arrival, _ failure: SyncFailure, _ context: inout ActiveContext) {
        context.completed += 1
        let revision = arrival.revision
        handled(revision.documentID)
        giveUp(arrival.sequence, revision.documentID, isDeleted: revision.isDeleted, failure, &context)
        context.refuse(arrival.replyTo, failure.reply)
    }

    // MARK: - Store

    /// While the store works on a batch the next one gathers, so that batches grow with the load.
    mutating func store(_ context: inout ActiveContext) {
        guard storing.isEmpty, !ready.isEmpty else { return }
        if !lostPlaces.isEmpty { dropVoid(&context) }
        storing = Array(ready.prefix(ActiveLimits.revisionsPerInsert))
        ready.removeFirst(storing.count)
        guard !storing.isEmpty else { return }
        context.actions.append(.insert(collection: index, storing.map(\.revision)))
    }

    /// Revisions that were announced before the access to their document was lost are not stored after it.
    private mutating func dropVoid(_ context: inout ActiveContext) {
        var kept: [Arrival] = []
        for arrival in ready {
            guard let lost = lostPlaces[Name(arrival.revision.documentID)], arrival.place < lost else {
                kept.append(arrival)
                continue
            }
            context.completed += 1
            handled(arrival.revision.documentID)
            sequences.complete(arrival.sequence)
            if let number = arrival.replyTo { context.respond(number) }
        }
        ready = kept
    }

    /// - Returns: documents whose content was here already under another id.
    mutating func inserted(_ verdicts: [InsertVerdict], _ context: inout ActiveContext) -> [AnnouncedRevision] {
        let batch = storing
        storing = []
        var conflicts: [String] = []
        var known: [AnnouncedRevision] = []
        for (arrival, verdict) in zip(batch, verdicts) {
            let revision = arrival.revision
            context.completed += 1
            handled(revision.documentID)
            switch verdict {
            case .inserted:
                context.events.append(
                    DocumentEvent(
                        collection: index, documentID: revision.documentID, isPush: false,
                        isDeleted: revision.isDeleted))
            case .alreadyThere: break
            case .sameContent:
                known.append(AnnouncedRevision(documentID: revision.documentID, revision: revision.revision))
            case .conflict: conflicts.append(revision.documentID)
            case .failed(let failure):
                giveUp(arrival.sequence, revision.documentID, isDeleted: revision.isDeleted, failure, &context)
                context.refuse(arrival.replyTo, failure.reply)
                continue
            }
            sequences.complete(arrival.sequence)
            if let number = arrival.replyTo { context.respond(number) }
        }
        if !conflicts.isEmpty { resolve(conflicts, &context) }
        return known
    }

    mutating func resolved(_ conflicts: [ResolvedConflict], _ context: inout ActiveContext) {
        openResolutions -= 1
        for conflict in conflicts {
            var event = DocumentEvent(collection: index, documentID: conflict.documentID, isPush: false)
            switch conflict.outcome {
            case .remote, .local: break
            case .deleted: event.isDeleted = true
            case .failed(let failure, let remoteIsDeleted):
                event.failure = failure
                event.isDeleted = remoteIsDeleted
            }
            context.events.append(event)
        }
    }
}
