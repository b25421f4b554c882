import BLIPProtocol
import DocumentValues

/// Revisions that come as differences to revisions on this side (§6.8).
extension Puller {
    mutating func loadSources(_ context: inout ActiveContext) {
        let batch = arrivals.pop(.differences)
        guard !batch.isEmpty else { return }
        var sources: [DeltaSource] = []
        for handle in batch {
            let arrival = arrivals[handle]
            guard case .difference(let difference) = arrival.stage else { continue }
            sources.append(DeltaSource(documentID: arrival.documentID, revision: difference.source))
            arrivals.move(handle, to: .patching(difference))
        }
        context.output.begin(.loadSources(collection: index, batch)) { id in
            .loadSources(id, collection: index, sources)
        }
    }

    mutating func sourcesLoaded(
        _ bodies: [[UInt8]?], of batch: [ArrivalTable.Handle], _ context: inout ActiveContext
    ) {
        for (handle, body) in zip(batch, bodies) {
            guard case .patching(let difference) = arrivals[handle].stage else { continue }
            let arrival = arrivals.remove(handle)
            if let whole = body.flatMap({ DeltaBody.patched($0, revision: difference.source, with: difference.delta) }),
                let body = try? PulledBody(reading: whole)
            {
                sort(arrival, with: body, &context)
            } else {
                askForWhole(arrival, &context)
            }
        }
    }

    /// The gateway answers this refusal with the whole revision, under the same sequence.
    private mutating func askForWhole(_ arrival: Arrival, _ context: inout ActiveContext) {
        let failure = SyncFailure.http(422, message: "The difference does not fit what is here")
        if let number = arrival.replyTo {
            let request = AnnouncementQueue.Wanted(documentID: arrival.documentID, feedIndex: arrival.feedIndex)
            note(request, sequence: arrival.sequence, isCounted: arrival.isRequested)
            context.output.refuse(number, with: failure.reply)
        } else {
            // The gateway awaits no reply, so it cannot be asked for the whole. Since the sequence stays open, the next
            // session requests the revision again.
            end(arrival, as: .postponed(failure), &context)
        }
    }
}
