import DocumentValues

/// A document of a push, from the reading of its change until it is acknowledged or given up.
struct PushedDocument: Sendable {
    /// The progress of the document: each step moves it from one of these stages to another, or ends it.
    enum Stage: Sendable {
        /// Waits to be proposed.
        case proposable
        /// The gateway is asked whether it wants the revision.
        case proposed
        /// The gateway has another revision, which it may have named: the local revision has to be read to see whether
        /// they are in conflict.
        case conflictingProposal(serverRevision: RevisionID?)
        /// The local revision is being read, to be compared with the gateway's.
        case comparing(serverRevision: RevisionID?)
        /// The gateway wants the revision, which waits for room on the line.
        case approved
        /// The revision is being read, to be sent.
        case loading
        /// The revision is sent and not answered.
        case inFlight(SentRevision)
        /// Refused with 403 for the first time; proposed once more when nothing else is under way.
        case refused(Refusal)
        /// The gateway could not take it for now, and that is reported; it is proposed again after a delay.
        case postponed
        /// The gateway has another branch of it, which the pull may bring. The document is not in the outbox yet: so its
        /// sequence stays open, or the document would be forgotten at the end of the process.
        case inConflict(OpenConflict)
        /// The application was notified of the conflict, and the document is in the outbox. It stays in the table so
        /// that the conflict is reported only once.
        case reported
    }

    struct SentRevision: Sendable {
        /// The revision id under which it was sent.
        var revision: RevisionID
        var bytes: Int
        var isDelta: Bool
    }

    struct Refusal: Sendable {
        var failure: SyncFailure
        /// How many revisions the gateway had accepted when it refused this one.
        var acceptances: UInt64
    }

    struct OpenConflict: Sendable, Hashable {
        /// The conflict is reported at this time, unless the pull has brought the other branch.
        var reportTime: Instant
        /// This side does not have the gateway's revision of the document, and the pull may have to request it by name.
        var isUnknown: Bool
    }

    var candidate: PushCandidate
    /// Set by the table alone.
    var stage = Stage.proposable
    /// A newer change of the document. It waits until this one is done, so that the gateway never sees two revisions of
    /// one document out of order.
    var newer: PushCandidate?
    /// The gateway was asked about it and has not got the revision: it counts as a document of the push until it ends or
    /// rests. Set by the table alone.
    var isCounted = false
    /// It was refused with 403 before, so that another refusal is final.
    var isSecondAttempt = false
    /// The change whose conflict was reported before the document was proposed again.
    var reported: PushCandidate?

    init(_ candidate: PushCandidate) { self.candidate = candidate }

    /// Whether the document is being worked on; otherwise it rests.
    var isUnderWay: Bool {
        switch stage {
        case .postponed, .inConflict, .reported: false
        case .proposable, .proposed, .conflictingProposal, .comparing, .approved, .loading, .inFlight, .refused: true
        }
    }

    /// Whether its conflict was reported before: it was only tried again, and no user has changed it since.
    var isConflictReported: Bool {
        guard let reported, reported.revision == candidate.revision else { return false }
        return candidate.isQuietRetry || candidate.sequence <= reported.sequence
    }

    /// Whether the document's first revision for the gateway is being sent.
    var isFirstRevisionUnderWay: Bool {
        guard candidate.remoteRevision == nil else { return false }
        switch stage {
        case .loading, .inFlight: return true
        case .proposable, .proposed, .conflictingProposal, .comparing, .approved, .refused, .postponed, .inConflict,
            .reported:
            return false
        }
    }

    /// The document's share of the bytes that are sent and not acknowledged.
    var bytesInFlight: Int {
        if case .inFlight(let sent) = stage { sent.bytes } else { 0 }
    }

    /// The queue in which it waits; `nil` while it rests or an answer of the gateway or the store is awaited.
    var queue: PushTable.Queue? {
        switch stage {
        case .proposable: .proposable
        case .conflictingProposal: .conflictingProposal
        case .approved: .approved
        case .refused: .refused
        case .proposed, .comparing, .loading, .inFlight, .postponed, .inConflict, .reported: nil
        }
    }
}
