import DocumentValues

/// Deletions that meet a push of ours on the way.
///
/// A gateway takes a new document under an id whose document was deleted; the deletion may be announced to us while it
/// does. Stored at once it would be a conflict with what we are sending, and deleting would win: of a document that the
/// gateway has accepted. So it waits for the gateway's answer, and where that is yes, it is history.
extension Puller {
    /// The gateway has accepted documents that were new to it.
    mutating func pushesAccepted(_ revisions: [(documentID: String, revision: RevisionID)]) {
        for accepted in revisions where announced.contains(Name(accepted.documentID)) {
            overtaken[Name(accepted.documentID)] = accepted.revision
        }
    }

    /// - Parameter sending: the documents whose first revision awaits the gateway's answer.
    mutating func sortOutDeletions(_ sending: Set<Name>, _ context: inout ActiveContext) {
        for id in held.keys where !sending.contains(id) { ready += held.removeValue(forKey: id) ?? [] }
        if !overtaken.isEmpty { dropOvertaken(&context) }
        guard !sending.isEmpty else { return }
        let waiting = ready.filter { $0.revision.isDeleted && sending.contains(Name($0.revision.documentID)) }
        guard !waiting.isEmpty else { return }
        ready.removeAll { $0.revision.isDeleted && sending.contains(Name($0.revision.documentID)) }
        for arrival in waiting { held[Name(arrival.revision.documentID), default: []].append(arrival) }
    }

    /// What was deleted before our document came is no deletion of it.
    private mutating func dropOvertaken(_ context: inout ActiveContext) {
        var kept: [Arrival] = []
        for arrival in ready {
            let id = arrival.revision.documentID
            guard arrival.revision.isDeleted, let accepted = overtaken[Name(id)],
                !arrival.revision.history.contains(accepted)
            else {
                kept.append(arrival)
                continue
            }
            context.completed += 1
            sequences.complete(arrival.sequence)
            if let number = arrival.replyTo { context.respond(number) }
            handled(id)
        }
        ready = kept
    }

    mutating func handled(_ documentID: String) {
        guard meetsPushes else { return }
        announced.remove(Name(documentID))
        overtaken[Name(documentID)] = nil
    }
}
