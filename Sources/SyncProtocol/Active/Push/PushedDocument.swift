import DocumentValues

/// A document of a push, from the moment its change was read until nothing more is to be known of it: acknowledged, or given
/// up.
struct PushedDocument: Sendable {
    /// How far it has come. Whatever is done with a document moves it from one of these to another, or ends it.
    enum Stage: Sendable {
        /// Waits to be proposed.
        case proposable
        /// The gateway is asked whether it wants the revision.
        case proposed
        /// The gateway has another revision, and perhaps says which: what is here has to be read before that is called
        /// a conflict.
        case disputed(serverRevision: RevisionID?)
        /// What is here is being read, to be compared with the gateway's revision.
        case comparing(serverRevision: RevisionID?)
        /// The gateway wants the revision, which waits for room on the line.
        case approved
        /// The revision is being read, to be sent.
        case loading
        /// The revision is sent and not answered.
        case inFlight(SentRevision)
        /// Refused with 403 for the first time; proposed once more when nothing else is under way.
        case refused(Refusal)
        /// The gateway could not take it for now, and that is reported; it is proposed again by the clock.
        case postponed
        /// The gateway has another branch of it, which the pull may bring. The outbox does not have it yet: with its sequence
        /// done it would be forgotten when the process ends.
        case inConflict(OpenConflict)
        /// The application was notified that it is in conflict, and the outbox has it: kept so that it is reported once.
        case reported
    }

    struct SentRevision: Sendable {
        /// The name under which it was sent.
        var revision: RevisionID
        var bytes: Int
        var isDelta: Bool
    }

    struct Refusal: Sendable {
        var failure: SyncFailure
        /// How many revisions the gateway had accepted by then.
        var acceptances: UInt64
    }

    struct OpenConflict: Sendable, Hashable {
        /// Until then the pull may bring the other branch.
        var reportTime: Instant
        /// What the gateway has of the document is not here, and the pull may have to ask for it by name.
        var isUnknown: Bool
    }

    var candidate: PushCandidate
    /// Set by the table alone.
    var stage = Stage.proposable
    /// A newer change of the document. It waits until this one is done, so that the gateway never sees two revisions of
    /// one document out of order.
    var newer: PushCandidate?
    /// It was refused with 403 before, so that another refusal holds.
    var isSecondAttempt = false
    /// What was in conflict, and reported, before it was proposed again.
    var reported: PushCandidate?

    init(_ candidate: PushCandidate) { self.candidate = candidate }

    /// Whether something is done with it; otherwise it rests until something happens elsewhere.
    var isUnderWay: Bool {
        switch stage {
        case .postponed, .inConflict, .reported: false
        case .proposable, .proposed, .disputed, .comparing, .approved, .loading, .inFlight, .refused: true
        }
    }

    /// Whether another conflict of it is no news: it was only tried again, and nobody has had it sent since.
    var isConflictReported: Bool {
        guard let reported, reported.revision == candidate.revision else { return false }
        return candidate.isQuietRetry || candidate.sequence <= reported.sequence
    }

    /// Whether the first revision that the gateway gets of the document is under way to it.
    var isFirstRevisionUnderWay: Bool {
        guard candidate.remoteRevision == nil else { return false }
        switch stage {
        case .loading, .inFlight: return true
        case .proposable, .proposed, .disputed, .comparing, .approved, .refused, .postponed, .inConflict, .reported:
            return false
        }
    }

    /// What it adds to the bytes that are sent and not acknowledged.
    var bytesInFlight: Int {
        if case .inFlight(let sent) = stage { sent.bytes } else { 0 }
    }

    /// The queue that it waits in; `nil` while an answer of the gateway or of the store is awaited, and while it rests.
    var queue: PushTable.Queue? {
        switch stage {
        case .proposable: .proposable
        case .disputed: .disputed
        case .approved: .approved
        case .refused: .refused
        case .proposed, .comparing, .loading, .inFlight, .postponed, .inConflict, .reported: nil
        }
    }
}
