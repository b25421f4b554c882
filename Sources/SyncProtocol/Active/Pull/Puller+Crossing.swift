import DocumentValues

/// Documents of which something is announced while a push of ours is under way.
///
/// A gateway takes a new document under an id whose document was deleted; the deletion may be announced to us while it
/// does. Stored at once it would be a conflict with what we are sending, and deleting would win: of a document that the
/// gateway has accepted. So it waits for the gateway's answer, and where that is yes, it is history.
struct CrossingPushes: Sendable {
    /// Whether the replication pushes, too; otherwise nothing is noted here.
    private let isPushing: Bool
    /// Documents of which something was announced that is not dealt with: what was live then may come as deleted.
    private var announced: Set<Name> = []
    /// Those of them that the gateway has accepted from us since, and as what.
    private var accepted: [Name: RevisionID] = [:]
    /// Deletions that wait for the answer to a push.
    private var held: [Name: [ArrivalTable.Handle]] = [:]

    init(isPushing: Bool) { self.isPushing = isPushing }

    mutating func wasAnnounced(_ documentID: String) {
        if isPushing { announced.insert(Name(documentID)) }
    }

    /// What was announced of the document is dealt with.
    mutating func wasHandled(_ documentID: String) {
        guard isPushing else { return }
        announced.remove(Name(documentID))
        if !accepted.isEmpty { accepted[Name(documentID)] = nil }
    }

    /// The gateway has accepted documents that were new to it.
    mutating func pushesAccepted(_ revisions: [(documentID: String, revision: RevisionID)]) {
        for (documentID, revision) in revisions where announced.contains(Name(documentID)) {
            accepted[Name(documentID)] = revision
        }
    }

    /// Whether the deletion was made before our document came: it is no deletion of it.
    func isOvertaken(_ arrival: Arrival) -> Bool {
        guard !accepted.isEmpty, arrival.revision.isDeleted, let accepted = accepted[Name(arrival.documentID)] else {
            return false
        }
        return !arrival.revision.history.contains(accepted)
    }

    mutating func hold(_ handle: ArrivalTable.Handle, of documentID: String) {
        held[Name(documentID), default: []].append(handle)
    }

    /// - Parameter pushed: the documents that are on their way to the gateway.
    /// - Returns: deletions that need not wait any more.
    mutating func release(besides pushed: PushTable) -> [ArrivalTable.Handle] {
        guard !held.isEmpty else { return [] }
        var released: [ArrivalTable.Handle] = []
        for (id, handles) in held where !pushed.isFirstRevisionUnderWay(of: id.text) {
            released += handles
            held[id] = nil
        }
        return released
    }

    /// Nothing is under way that was announced.
    mutating func forget() {
        announced = []
        accepted = [:]
    }
}

extension Puller {
    /// - Parameter pushed: the documents that are on their way to the gateway.
    mutating func sortOutDeletions(besides pushed: PushTable, _ context: inout ActiveContext) {
        for handle in crossing.release(besides: pushed) { arrivals.move(handle, to: .ready) }
        for handle in arrivals.pop(.ready, where: { crossing.isOvertaken($0) }) { dismiss(handle, &context) }
        guard pushed.firstRevisionsUnderWay > 0 else { return }
        let waiting = arrivals.pop(.ready) { arrival in
            arrival.revision.isDeleted && pushed.isFirstRevisionUnderWay(of: arrival.documentID)
        }
        for handle in waiting {
            arrivals.move(handle, to: .held)
            crossing.hold(handle, of: arrivals[handle].documentID)
        }
    }
}
