import BLIPProtocol
import DocumentValues

/// Sends a collection's local changes: reads them, proposes them, sends what the gateway wants.
///
/// A document is *active* from the moment its change was read until it is acknowledged or given up; a newer change of
/// it waits that long, so that the gateway never sees two revisions of one document out of order.
struct Pusher: Sendable {
    struct InFlight: Sendable {
        var candidate: PushCandidate
        /// Under which name it was sent.
        var revision: RevisionID
        var bytes: Int
        var isDelta = false
    }

    /// What the revisions that are being loaded are for, oldest first.
    enum Load: Sendable {
        case sending([PushCandidate])
        case judging([Disputed])
    }

    /// A proposal that the gateway answered with 409.
    struct Disputed: Sendable {
        var candidate: PushCandidate
        var serverRevision: RevisionID?
    }

    /// A document whose proposal was refused because the gateway has another branch of it.
    struct Conflicted: Sendable {
        var candidate: PushCandidate
        /// When the gateway refused it.
        var since: Timestamp
        /// The application has been told, and the outbox has it.
        var isTold = false
    }

    /// A document that the gateway refused with 403 for the first time.
    struct RefusedOnce: Sendable {
        var candidate: PushCandidate
        var failure: SyncFailure
        /// How many revisions had been accepted by then.
        var acceptances: UInt64
    }

    let index: Int
    let isContinuous: Bool
    /// Whether the replication pulls too, and so resolves conflicts.
    let pulls: Bool
    private let usesDeltas: Bool
    /// The gateway has said so.
    private var gatewayTakesDeltas = false
    var sendsDeltas: Bool { usesDeltas && gatewayTakesDeltas }
    private let retriesRejections: Bool
    /// False until the first retry of a run that begins from the start.
    private var retriesQuietly: Bool
    /// Local sequences that need no more work.
    var completed: SequenceRanges
    /// Those of them that were done when the session began; the first gap may have later ranges behind it.
    private let earlier: SequenceRanges

    private var cursor: UInt64
    /// What the gateway was believed to have may be gone: up to here that is proposed, too.
    private(set) var doubtful: UInt64
    private var isReading = false
    var mayHaveChanges = true
    /// Nothing new is taken on.
    var isHalted = false

    var active: [Name: RevisionID] = [:]
    private var waiting: [Name: PushCandidate] = [:]
    private var proposable: [PushCandidate] = []
    private var proposals: [UInt64: [PushCandidate]] = [:]
    var approved: [PushCandidate] = []
    var loads: [Load] = []
    var disputes: [Disputed] = []
    var inFlight: [UInt64: InFlight] = [:]
    var unacknowledgedBytes = 0
    /// Documents whose first revision is being sent, or awaits its answer.
    var sending: Set<Name> = []
    /// Those that the gateway has accepted since they were last asked for.
    var accepted: [(documentID: String, revision: RevisionID)] = []
    /// Refused with 403 and to be proposed once more, should the gateway accept anything else meanwhile.
    var refusedOnce: [RefusedOnce] = []
    var hasRetried: [Name: RevisionID] = [:]
    /// Revisions that the gateway has accepted.
    var acceptances: UInt64 = 0
    /// In conflict; the pull brings the other side.
    var conflicted: [Name: Conflicted] = [:]
    /// When a continuous push tells of the oldest that it has not told of.
    var conflictTime: Timestamp?
    var acknowledged: [KnownRevision] = []
    private var openRejectionReads = 0
    /// When to try again what was refused.
    private(set) var retryTime: Timestamp?

    init(index: Int, configuration: ActiveConfiguration, completed: SequenceRanges, doubtful: UInt64) {
        self.index = index
        isContinuous = configuration.isContinuous
        pulls = configuration.pulls
        retriesRejections = configuration.retriesRejections
        retriesQuietly = configuration.retriesQuietly
        usesDeltas = configuration.usesDeltas
        self.completed = completed
        earlier = completed
        cursor = completed.through
        self.doubtful = doubtful
    }

    /// Nothing to do but wait for changes.
    var isIdle: Bool { isHalted ? inFlight.isEmpty && loads.isEmpty : !mayHaveChanges && hasNoWork }

    private var hasNoWork: Bool {
        !isReading && active.isEmpty && proposable.isEmpty && loads.isEmpty && disputes.isEmpty && refusedOnce.isEmpty
            && acknowledged.isEmpty && openRejectionReads == 0
    }

    // MARK: - Reading

    mutating func localChangesCommitted() {
        if isContinuous { mayHaveChanges = true }
    }

    /// What was refused for lack of access gets another chance: at the start, and when access seems to come back.
    mutating func retryRejections(_ context: inout ActiveContext) {
        guard retriesRejections, !isHalted else { return }
        retryTime = nil
        openRejectionReads += 1
        context.actions.append(.readRejections(collection: index))
    }

    /// Something was refused that may be accepted another time.
    mutating func retryLater(_ context: inout ActiveContext) {
        guard retriesRejections, isContinuous, retryTime == nil else { return }
        retryTime = context.now + ActiveLimits.rejectionRetry
    }

    mutating func rejectionsRead(_ candidates: [PushCandidate], _ context: inout ActiveContext) {
        openRejectionReads -= 1
        for var candidate in candidates where active[Name(candidate.documentID)] == nil {
            candidate.isQuietRetry = retriesQuietly
            active[Name(candidate.documentID)] = candidate.revision
            propose(candidate)
        }
        retriesQuietly = true
    }

    mutating func changesRead(
        _ changes: [PushCandidate], through: UInt64, isCaughtUp: Bool, _ context: inout ActiveContext
    ) {
        isReading = false
        if through > cursor { completed.insert(cursor + 1..<through + 1) }
        let fresh = changes.filter { !earlier.contains($0.sequence) }
        cursor = max(cursor, through)
        for change in fresh { take(change) }
        if isCaughtUp {
            doubtful = min(doubtful, cursor)
            // A proposal without rows says that there was nothing; it is not answered.
            if fresh.isEmpty, active.isEmpty {
                let nothing = ProposeChanges(collection: context.wireIndex(index), rows: [])
                context.send(nothing.request, .other, index)
            }
        } else {
            mayHaveChanges = true
        }
    }

    private mutating func take(_ change: PushCandidate) {
        var change = change
        // The gateway's 304 and 409 tell what it has; what it had does not matter any more.
        if change.sequence <= doubtful { change.remoteRevision = nil }
        switch active[Name(change.documentID)] {
        case change.revision?: break
        case nil:
            completed.remove(change.sequence)
            active[Name(change.documentID)] = change.revision
            propose(change)
        case _?:
            completed.remove(change.sequence)
            if let older = waiting.updateValue(change, forKey: Name(change.documentID)) {
                completed.insert(older.sequence)
            }
        }
    }

    mutating func propose(_ candidate: PushCandidate) {
        let id = candidate.documentID
        // What comes of the newer revision counts.
        if isContinuous, let old = conflicted[Name(id)], old.candidate.revision != candidate.revision {
            conflicted[Name(id)] = nil
        }
        proposable.append(candidate)
    }

    // MARK: - One step

    /// Decides what to do next; called after everything that happens.
    mutating func pump(_ context: inout ActiveContext) {
        if !acknowledged.isEmpty {
            context.actions.append(.markKnown(collection: index, acknowledged))
            acknowledged = []
        }
        guard !isHalted else { return }
        if let retryTime, retryTime <= context.now { retryRejections(&context) }
        judgeDisputes(&context)
        loadApproved(&context)
        if isReadyForRetries { retryForbidden(&context) }
        sendProposals(&context)
        readChanges(&context)
    }

    /// A 403 is tried once more, and at the end: other documents may have changed what the user may do.
    private var isReadyForRetries: Bool {
        !refusedOnce.isEmpty && proposable.isEmpty && proposals.isEmpty && approved.isEmpty && loads.isEmpty
            && inFlight.isEmpty && !isReading
    }

    /// Where nothing was accepted since, nothing has changed what the user may do: the refusal holds.
    private mutating func retryForbidden(_ context: inout ActiveContext) {
        let refused = refusedOnce
        refusedOnce = []
        for refusal in refused {
            if refusal.acceptances < acceptances {
                hasRetried[Name(refusal.candidate.documentID)] = refusal.candidate.revision
                context.total -= 1
                proposable.append(refusal.candidate)
            } else {
                reject(refusal.candidate, refusal.failure, &context)
            }
        }
    }

    private mutating func sendProposals(_ context: inout ActiveContext) {
        while !proposable.isEmpty, proposals.count < ActiveLimits.openProposals {
            let batch = Array(proposable.prefix(SyncLimits.rowsPerBatch))
            proposable.removeFirst(batch.count)
            let rows = batch.map { candidate in
                ProposedRow(
                    documentID: candidate.documentID, revision: candidate.revision.description,
                    serverRevision: candidate.remoteRevision?.description ?? "", bodySize: candidate.bodySize)
            }
            let request = ProposeChanges(collection: context.wireIndex(index), rows: rows).request
            proposals[context.send(request, .proposeChanges, index)] = batch
        }
    }

    private mutating func readChanges(_ context: inout ActiveContext) {
        guard mayHaveChanges, !isReading, proposals.count < ActiveLimits.openProposals,
            active.count < ActiveLimits.documentsInPush
        else { return }
        isReading = true
        mayHaveChanges = false
        context.actions.append(
            .readChanges(
                collection: index, after: cursor, limit: ActiveLimits.changesPerRead,
                includingKnown: cursor < doubtful))
    }

    private mutating func loadApproved(_ context: inout ActiveContext) {
        // One batch at a time keeps the count of unacknowledged bytes true.
        guard !approved.isEmpty, loads.isEmpty else { return }
        var count = 0
        var bytes = unacknowledgedBytes
        while count < min(approved.count, ActiveLimits.revisionsPerLoad),
            bytes == 0 || bytes + approved[count].bodySize <= ActiveLimits.unacknowledgedBytes
        {
            // A tombstone counts, too: what is unacknowledged is never nothing.
            bytes += max(1, approved[count].bodySize)
            count += 1
        }
        guard count > 0 else { return }
        let batch = Array(approved.prefix(count))
        approved.removeFirst(count)
        if pulls { sending.formUnion(batch.lazy.filter { $0.remoteRevision == nil }.map { Name($0.documentID) }) }
        loads.append(.sending(batch))
        context.actions.append(
            .loadRevisions(collection: index, batch.map(\.documentID), withBases: sendsDeltas))
    }

    // MARK: - Answers to proposals

    mutating func proposalAnswered(_ tag: UInt64, _ message: BLIPMessage, _ context: inout ActiveContext) {
        guard let batch = proposals.removeValue(forKey: tag) else { return }
        guard let reply = ProposeChangesReply(message) else {
            isHalted = true
            return context.fail(.remoteError("Invalid answer to proposeChanges"))
        }
        if reply.acceptsDeltas { gatewayTakesDeltas = true }
        for (place, candidate) in batch.enumerated() {
            switch place < reply.entries.count ? reply.entries[place] : .send {
            case .send:
                context.total += 1
                approved.append(candidate)
            case .known:
                acknowledged.append(KnownRevision(documentID: candidate.documentID, revision: candidate.revision))
                finish(candidate, known: candidate.revision)
            case .conflict(let server):
                disputes.append(Disputed(candidate: candidate, serverRevision: server.flatMap { RevisionID($0) }))
            case .rejected(let status):
                context.total += 1
                reject(candidate, .http(status, "rejected by the server"), &context)
            }
        }
    }

    /// The gateway answered a proposal with an error; the documents stay to be done.
    mutating func proposalFailed(_ tag: UInt64) {
        isHalted = true
        for candidate in proposals.removeValue(forKey: tag) ?? [] { active[Name(candidate.documentID)] = nil }
    }

    // MARK: - The end of a document

    mutating func takeAccepted() -> [(documentID: String, revision: RevisionID)] {
        defer { accepted = [] }
        return accepted
    }

    /// The candidate needs no more work; a newer change of its document gets its turn.
    ///
    /// - Parameter known: what the gateway now has.
    mutating func finish(_ candidate: PushCandidate, isCompleted: Bool = true, known: RevisionID? = nil) {
        if isCompleted, !candidate.isQuietRetry { completed.insert(candidate.sequence) }
        active[Name(candidate.documentID)] = nil
        sending.remove(Name(candidate.documentID))
        if known != nil { conflicted[Name(candidate.documentID)] = nil }
        guard var next = waiting.removeValue(forKey: Name(candidate.documentID)) else { return }
        if let known { next.remoteRevision = known }
        active[Name(next.documentID)] = next.revision
        propose(next)
    }

    /// The candidate is replaced by a newer revision of its document, which takes its place.
    mutating func replace(_ candidate: PushCandidate, by newer: PushCandidate) {
        completed.insert(candidate.sequence)
        if let next = waiting.removeValue(forKey: Name(candidate.documentID)), next.sequence != newer.sequence {
            completed.insert(next.sequence)
        }
        completed.remove(newer.sequence)
        active[Name(newer.documentID)] = newer.revision
        propose(newer)
    }
}
