import BLIPProtocol
import DocumentValues

/// Sends a collection's local changes: reads them, proposes them, sends what the gateway wants.
struct Pusher: Sendable {
    /// The purpose of revisions that are being read.
    enum Load: Sendable {
        case sending([PushTable.Handle])
        case comparing([PushTable.Handle])
    }

    let terms: PushTerms
    /// The gateway accepts differences, and this session uses them.
    private(set) var sendsDeltas = false
    /// Nothing new is taken on.
    private(set) var isHalted = false
    /// Documents that the pull has requested by name.
    var asked: Set<Name>

    var sequences: LocalSequences
    var documents = PushTable()
    var merges = RepeatedMerges()
    var retries: RefusalRetries

    // Requests whose answers are awaited, by their tags.
    private var proposals: [UInt64: [PushTable.Handle]] = [:]
    var sentRevisions: [UInt64: PushTable.Handle] = [:]

    var accepted = AcceptedRevisions()

    /// - Parameter pullsAll: whether the pull begins at the beginning.
    init(
        index: Int, configuration: ActiveConfiguration, completed: SequenceRanges, doubtful: UInt64, pullsAll: Bool
    ) {
        terms = PushTerms(index: index, configuration: configuration, pullsAll: pullsAll)
        sequences = LocalSequences(completed: completed, doubtful: doubtful)
        retries = RefusalRetries(configuration)
        asked = configuration.isContinuous ? Set(configuration.collections[index].askedFor.map { Name($0) }) : []
    }

    var index: Int { terms.index }

    /// Whether the push only waits for changes.
    func isIdle(besides work: OutstandingWork) -> Bool {
        guard !work.isAny(of: WorkOwner(.push, of: index)) else { return false }
        if isHalted { return true }
        // A one-shot run waits until its conflicts are resolved or reported.
        let awaited = documents.underWayCount + (terms.isContinuous ? 0 : documents.conflicts.count)
        return awaited == 0 && sequences.isCaughtUp
    }

    /// No new work is begun; the answers to sent revisions are awaited.
    mutating func halt() { isHalted = true }

    // MARK: - Reading

    mutating func localChangesCommitted() {
        if terms.isContinuous { sequences.changesCommitted() }
    }

    /// Proposes documents again that were refused for lack of access: at the start, and when access seems to be
    /// regained.
    mutating func retryRefusals(_ context: inout ActiveContext) {
        guard !isHalted, retries.begin() else { return }
        context.output.begin(.readRefused(collection: index)) { .readRefused($0, collection: index) }
    }

    mutating func refusedRead(_ changes: RepeatedChanges) {
        let isQuiet = retries.noteRead()
        for change in changes.refused { repeatPush(of: change, isQuiet: isQuiet) }
        for change in changes.keptBack { repeatPush(of: change, isQuiet: false) }
    }

    private mutating func repeatPush(of change: LocalChange, isQuiet: Bool) {
        guard !isDealtWith(change) else { return }
        var candidate = PushCandidate(change)
        candidate.isQuietRetry = isQuiet
        propose(candidate)
    }

    /// Whether the revision is being pushed, waits for a delay or for the pull, or is older than what the push has of its
    /// document.
    private func isDealtWith(_ change: LocalChange) -> Bool {
        guard let handle = documents.handle(of: change.documentID) else { return false }
        guard change.sequence >= documents[handle].candidate.sequence else { return true }
        switch documents[handle].stage {
        case .reported: return false
        case .postponed, .inConflict: return documents[handle].candidate.revision == change.revision
        case .proposable, .proposed, .conflictingProposal, .comparing, .approved, .loading, .inFlight, .refused:
            return true
        }
    }

    mutating func changesRead(
        _ changes: [LocalChange], unreadable: [UnreadableDocument], through: UInt64, isCaughtUp: Bool,
        _ context: inout ActiveContext
    ) {
        let fresh = sequences.read(changes, through: through, isCaughtUp: isCaughtUp)
        for document in unreadable { report(document, &context) }
        for change in fresh { take(PushCandidate(change)) }
        guard isCaughtUp else { return }
        sequences.endDoubt()
        // A proposal without rows reports that there is nothing to push; it is not answered.
        if fresh.isEmpty, documents.underWayCount == 0 {
            let nothing = ProposeChanges(collection: context.wireIndex(index), rows: [])
            context.output.send(nothing.request, as: .other, collection: index)
        }
    }

    /// A document that is damaged here fails alone. Each session reports it, until it can be read or is purged: its edits are
    /// only here.
    private mutating func report(_ document: UnreadableDocument, _ context: inout ActiveContext) {
        guard sequences.leaveOpen(document.sequence) else { return }
        context.events.append(
            DocumentEvent(
                collection: index, documentID: document.documentID, isPush: true, failure: .unreadable(document.reason))
        )
    }

    private mutating func take(_ change: PushCandidate) {
        guard let handle = documents.handle(of: change.documentID) else {
            sequences.reopen(change.sequence)
            return propose(change)
        }
        // Results come in any order: a later revision of the document may have been read to be compared.
        guard change.sequence >= documents[handle].candidate.sequence else { return }
        guard documents[handle].isUnderWay else {
            sequences.reopen(change.sequence)
            return propose(change)
        }
        guard documents[handle].candidate.revision != change.revision else {
            return answer(change, with: handle)
        }
        sequences.reopen(change.sequence)
        if let older = documents.setNewer(change, of: handle) { sequences.complete(older.sequence) }
    }

    /// A document in a quiet retry was changed since then: the user who changed it gets to know the result, so the retry is
    /// not quiet any more. Changes that are only read because a checkpoint was lost do not count.
    private mutating func answer(_ change: PushCandidate, with handle: PushTable.Handle) {
        guard documents[handle].candidate.isQuietRetry, change.sequence > sequences.doubtful else { return }
        sequences.reopen(change.sequence)
        documents.endSilence(of: handle, sequence: change.sequence)
    }

    /// A document that is given up until the next session: a continuous session tries it again after a delay.
    mutating func postpone(_ handle: PushTable.Handle, _ context: inout ActiveContext) {
        let document = documents[handle]
        guard document.newer == nil else { return finish(handle) }
        guard !document.candidate.isQuietRetry else {
            retries.scheduleRefused(at: context.now)
            return finish(handle, isCompleted: false)
        }
        guard terms.isContinuous else { return finish(handle, isCompleted: false) }
        retries.schedulePostponed(at: context.now)
        documents.postpone(handle)
    }

    private mutating func retryPostponed() {
        for handle in documents.sorted(documents.postponed) {
            documents.resume(handle, with: documents[handle].candidate)
        }
    }

    /// From now on only the result of the candidate counts, even if its document waited for something else.
    mutating func propose(_ candidate: PushCandidate) {
        guard let handle = documents.handle(of: candidate.documentID) else {
            documents.add(candidate)
            return
        }
        let older = documents[handle].candidate
        if older.sequence != candidate.sequence { settle(older) }
        documents.resume(handle, with: candidate)
    }

    // MARK: - One step

    /// When documents are tried again; never, once the push has ended.
    var retryTime: Instant? { isHalted ? nil : retries.retryTime }

    /// Decides on the next work; called after each event.
    mutating func pump(_ context: inout ActiveContext) {
        let known = accepted.takeUnrecorded()
        if !known.isEmpty { context.output.append(.markKnown(collection: index, known)) }
        guard !isHalted else { return }
        if retries.areRefusedDue(at: context.now) { retryRefusals(&context) }
        if retries.takePostponed(at: context.now) { retryPostponed() }
        compareConflictingProposals(&context)
        loadApproved(&context)
        retryRefused(&context)
        sendProposals(&context)
        readChanges(&context)
    }

    /// A document that was refused with 403 is tried once more when nothing else is left: other accepted documents may
    /// have changed the user's rights. If none was accepted since, the refusal is final.
    private mutating func retryRefused(_ context: inout ActiveContext) {
        let count = documents.count(in: .refused)
        guard count > 0, count == documents.underWayCount, !sequences.isReading else { return }
        for handle in documents.pop(.refused) {
            guard case .refused(let refusal) = documents[handle].stage else { continue }
            if refusal.acceptances < accepted.count {
                documents.retry(handle)
            } else {
                giveUp(handle, for: refusal.failure, &context)
            }
        }
    }

    private mutating func sendProposals(_ context: inout ActiveContext) {
        while documents.count(in: .proposable) > 0, proposals.count < ActiveLimits.openProposals {
            let batch = documents.pop(.proposable, limit: SyncLimits.rowsPerBatch)
            let rows = batch.map { ProposedRow(documents[$0].candidate) }
            for handle in batch { documents.move(handle, to: .proposed) }
            let request = ProposeChanges(collection: context.wireIndex(index), rows: rows).request
            proposals[context.output.send(request, as: .proposeChanges, collection: index)] = batch
        }
    }

    private mutating func readChanges(_ context: inout ActiveContext) {
        guard proposals.count < ActiveLimits.openProposals,
            documents.openCount < ActiveLimits.documentsInPush,
            let request = sequences.nextRequest()
        else { return }
        context.output.begin(.readChanges(collection: index)) { id in
            .readChanges(
                id, collection: index, after: request.after, limit: ActiveLimits.changesPerRead,
                includingKnown: request.includesKnown)
        }
    }

    private mutating func loadApproved(_ context: inout ActiveContext) {
        // One batch at a time keeps the count of unacknowledged bytes true.
        guard documents.readCount == 0 else { return }
        let batch = popBatch(
            .approved, besides: documents.bytesInFlight, documents: documents.sentCount, within: context.window)
        guard !batch.isEmpty else { return }
        for handle in batch { documents.move(handle, to: .loading) }
        load(batch, for: .sending(batch), withBases: sendsDeltas, &context)
    }

    /// Takes waiting documents that are read together.
    ///
    /// - Parameters:
    ///   - bytes: of other revisions for which there has to be memory, too.
    ///   - count: of these revisions.
    mutating func popBatch(
        _ queue: PushTable.Queue, besides bytes: Int = 0, documents count: Int = 0,
        within window: TransferWindow = .open
    ) -> [PushTable.Handle] {
        var batch: [PushTable.Handle] = []
        var bytes = bytes
        while batch.count < ActiveLimits.revisionsPerLoad, window.allows(besides: count + batch.count),
            let size = documents.firstBodySize(in: queue),
            bytes == 0 || bytes + size <= ActiveLimits.unacknowledgedBytes, let handle = documents.popFirst(queue)
        {
            // A tombstone counts, too, so that unacknowledged revisions never come to 0 bytes.
            bytes += max(1, size)
            batch.append(handle)
        }
        return batch
    }

    mutating func load(
        _ batch: [PushTable.Handle], for purpose: Load, withBases: Bool, _ context: inout ActiveContext
    ) {
        let ids = batch.map { documents[$0].candidate.documentID }
        context.output.begin(.loadRevisions(collection: index, purpose)) { id in
            .loadRevisions(id, collection: index, ids, withBases: withBases)
        }
    }

    // MARK: - Answers to proposals

    mutating func proposalAnswered(_ tag: UInt64, with message: BLIPMessage, _ context: inout ActiveContext) {
        guard let batch = proposals.removeValue(forKey: tag) else { return }
        guard let reply = ProposeChangesReply(message) else {
            halt()
            return context.fail(.remoteError("Invalid answer to proposeChanges"))
        }
        if reply.acceptsDeltas { sendsDeltas = terms.usesDeltas }
        for (row, handle) in batch.enumerated() {
            // The gateway wants rows that the answer leaves out.
            let entry = row < reply.entries.count ? reply.entries[row] : .send
            proposed(handle, isAnsweredWith: entry, &context)
        }
    }

    private mutating func proposed(
        _ handle: PushTable.Handle, isAnsweredWith entry: ProposeChangesReply.Entry, _ context: inout ActiveContext
    ) {
        switch entry {
        case .send:
            documents.beginCounting(of: handle)
            documents.move(handle, to: .approved)
        case .known:
            let candidate = documents[handle].candidate
            accepted.noteFound(AcknowledgedRevision(documentID: candidate.documentID, revision: candidate.revision))
            finish(handle, known: candidate.revision)
        case .conflict(let server):
            documents.beginCounting(of: handle)
            documents.move(handle, to: .conflictingProposal(serverRevision: server.flatMap { RevisionID($0) }))
        case .rejected(let status):
            documents.beginCounting(of: handle)
            giveUp(handle, for: .http(status, message: "rejected by the server"), &context)
        }
    }

    /// The gateway answered a proposal with an error; another session proposes the documents again.
    mutating func proposalFailed(_ tag: UInt64) {
        halt()
        for handle in proposals.removeValue(forKey: tag) ?? [] { documents.remove(handle) }
    }

    // MARK: - The end of a document

    /// The candidate needs no more work; a newer change of its document gets its turn. An earlier report is remembered until
    /// the gateway has the document.
    ///
    /// - Parameter known: the revision that the gateway now has.
    mutating func finish(_ handle: PushTable.Handle, isCompleted: Bool = true, known: RevisionID? = nil) {
        let document = documents.remove(handle)
        let candidate = document.candidate
        if isCompleted { settle(candidate) }
        if var newer = document.newer {
            if let known { newer.change.remoteRevision = known }
            propose(newer)
        } else if known == nil, let reported = document.reported {
            documents.add(reported, at: .reported)
        }
    }

    /// The candidate's sequence is done.
    mutating func settle(_ candidate: PushCandidate) {
        if !candidate.isQuietRetry { sequences.complete(candidate.sequence) }
    }

    /// The candidate is replaced by the revision of its document that was read, or by a newer change that waits: results come
    /// in any order, so the change may have been read later although its result came first. The later one is proposed, the
    /// sequence of the other is done.
    mutating func replace(_ handle: PushTable.Handle, by loaded: PushCandidate) {
        let document = documents[handle]
        sequences.complete(document.candidate.sequence)
        var (next, other) = (loaded, document.newer)
        if var waiting = other, waiting.sequence > loaded.sequence {
            waiting.change.remoteRevision = loaded.remoteRevision
            (next, other) = (waiting, loaded)
        }
        if let other { sequences.complete(other.sequence) }
        sequences.reopen(next.sequence)
        documents.replace(handle, by: next)
    }
}

extension ProposedRow {
    fileprivate init(_ candidate: PushCandidate) {
        self.init(
            documentID: candidate.documentID, revision: candidate.revision.description,
            serverRevision: candidate.remoteRevision?.description ?? "", bodySize: candidate.bodySize)
    }
}
