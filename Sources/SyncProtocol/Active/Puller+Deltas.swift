import BLIPProtocol
import DocumentValues

/// Revisions that come as differences to ones that are here (§6.8).
extension Puller {
    struct Difference: Sendable {
        var arrival: Arrival
        var source: RevisionID
        var delta: [UInt8]
    }

    mutating func loadSources(_ context: inout ActiveContext) {
        guard !toPatch.isEmpty else { return }
        let sources = toPatch.map { difference in
            DeltaSource(documentID: difference.arrival.revision.documentID, revision: difference.source)
        }
        patching.append(toPatch)
        toPatch = []
        context.actions.append(.loadSources(collection: index, sources))
    }

    mutating func sourcesLoaded(_ bodies: [[UInt8]?], _ context: inout ActiveContext) {
        guard !patching.isEmpty else { return }
        for (difference, body) in zip(patching.removeFirst(), bodies) {
            if let whole = body.flatMap({ DeltaBody.patched($0, difference.source, with: difference.delta) }),
                let body = try? PulledBody(reading: whole)
            {
                sort(difference.arrival, body, &context)
            } else {
                askForWhole(difference.arrival, &context)
            }
        }
    }

    /// The gateway answers this refusal with the whole revision, under the same sequence.
    private mutating func askForWhole(_ arrival: Arrival, _ context: inout ActiveContext) {
        let failure = SyncFailure.http(422, "The difference does not fit what is here")
        let documentID = arrival.revision.documentID
        if let number = arrival.replyTo {
            requested[Name(arrival.sequence)] = Requested(documentID: documentID, place: arrival.place)
            context.refuse(number, failure.reply)
        } else {
            // Nobody listens: as the sequence stays open, the next session asks again.
            context.completed += 1
            context.events.append(
                DocumentEvent(collection: index, documentID: documentID, isPush: false, failure: failure))
        }
    }
}
