import DocumentValues

/// Documents of which a revision is announced while a push of ours is under way.
///
/// A gateway accepts a new document under the id of a deleted one, and may announce the deletion to us at the same
/// time. If the deletion were stored at once, it would be in conflict with the revision that we are sending, and it
/// would win, although the gateway has accepted the document. So the deletion waits for the gateway's answer; if the
/// gateway accepts the document, the deletion is older and is dropped.
struct CrossingPushes: Sendable {
    /// Whether the replication pushes, too; otherwise nothing is noted here.
    private let isPushing: Bool
    /// Documents with announced revisions that are not handled yet, and how many of them: a revision that was announced as
    /// live may come as deleted.
    private var announced: [Name: Int] = [:]
    /// Of these, the documents that the gateway has accepted from us since then, with the accepted revision.
    private var accepted: [Name: RevisionID] = [:]
    /// Deletions that wait for the answer to a push.
    private var deferredDeletions: [Name: [ArrivalTable.Handle]] = [:]

    init(isPushing: Bool) { self.isPushing = isPushing }

    mutating func noteAnnounced(_ documentID: String) {
        if isPushing { announced[Name(documentID), default: 0] += 1 }
    }

    /// An announced revision of the document has been handled.
    mutating func noteHandled(_ documentID: String) {
        guard isPushing else { return }
        let document = Name(documentID)
        if let count = announced[document], count > 1 {
            announced[document] = count - 1
        } else {
            announced[document] = nil
            if !accepted.isEmpty { accepted[document] = nil }
        }
    }

    /// The gateway has accepted documents that were new to it.
    mutating func pushesAccepted(_ revisions: [(documentID: String, revision: RevisionID)]) {
        for (documentID, revision) in revisions where announced[Name(documentID)] != nil {
            accepted[Name(documentID)] = revision
        }
    }

    /// Whether the deletion is older than our document at the gateway: then it does not delete our document.
    func isSuperseded(_ arrival: Arrival) -> Bool {
        guard !accepted.isEmpty, arrival.revision.isDeleted, let accepted = accepted[Name(arrival.documentID)] else {
            return false
        }
        return !arrival.revision.history.contains(accepted)
    }

    mutating func deferDeletion(_ handle: ArrivalTable.Handle, of documentID: String) {
        deferredDeletions[Name(documentID), default: []].append(handle)
    }

    /// - Parameter pushed: the documents that are being pushed.
    /// - Returns: deletions that need not wait any more.
    mutating func release(besides pushed: PushTable) -> [ArrivalTable.Handle] {
        guard !deferredDeletions.isEmpty else { return [] }
        var released: [ArrivalTable.Handle] = []
        for (id, handles) in deferredDeletions where !pushed.isFirstRevisionUnderWay(of: id.text) {
            released += handles
            deferredDeletions[id] = nil
        }
        return released
    }

    /// All announced revisions have been handled.
    mutating func forget() {
        announced = [:]
        accepted = [:]
    }
}

extension Puller {
    /// - Parameter pushed: the documents that are being pushed.
    mutating func sortOutDeletions(besides pushed: PushTable, _ context: inout ActiveContext) {
        for handle in crossing.release(besides: pushed) { arrivals.move(handle, to: .ready) }
        for handle in arrivals.pop(.ready, where: { crossing.isSuperseded($0) }) { dismiss(handle, &context) }
        guard pushed.firstRevisionsUnderWay > 0 else { return }
        let waiting = arrivals.pop(.ready) { arrival in
            arrival.revision.isDeleted && pushed.isFirstRevisionUnderWay(of: arrival.documentID)
        }
        for handle in waiting {
            arrivals.move(handle, to: .deferred)
            crossing.deferDeletion(handle, of: arrivals[handle].documentID)
        }
    }
}
