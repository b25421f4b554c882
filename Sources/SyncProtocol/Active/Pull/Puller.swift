import BLIPProtocol
import DocumentValues

/// Brings a collection's remote changes to this side: answers announcements, receives revisions, stores them in
/// batches.
///
/// An announced sequence is done when its revision was stored, given up for good, or never wanted.
struct Puller: Sendable {
    enum Subscription: Sendable {
        /// The gateway has not answered yet; rows may come before its answer. `isCaughtUp`: it has reported that
        /// nothing more follows for now.
        case requested(isCaughtUp: Bool)
        case active(isCaughtUp: Bool)
        /// Nothing new is taken on.
        case ended
    }

    /// The feed that was requested last.
    enum Feed: Sendable {
        /// All changes since the checkpoint. `followsOther`: there was another feed before.
        case changes(followsOther: Bool)
        /// Some documents by name. `position`: that of the feed of all changes; `next`: the request for that feed, if it
        /// has not begun.
        case documents(position: String?, next: SubChanges?)
    }

    /// A document to which access is lost.
    struct Lost: Sendable {
        var sequence: String
        var document: LostDocument
        var replyTo: UInt32?
        /// Whether it counts in the progress.
        var isCounted = true
    }

    let terms: PullTerms
    private var subscription = Subscription.requested(isCaughtUp: false)
    var feed = Feed.changes(followsOther: false)
    /// The next answer to an announcement offers to accept differences; once is enough.
    private var offersDeltas: Bool

    var sequences: RemoteSequences
    var announcements = AnnouncementQueue()
    var arrivals = ArrivalTable()
    var attachments = PulledAttachments()
    var access = AccessChanges()
    var crossing: CrossingPushes

    /// Documents that are being purged and that count in the progress.
    private var purging = 0
    /// Documents that were requested, or to which access is lost. Others do not count: no progress leads to them.
    private var total: UInt64 = 0

    init(index: Int, version: SyncSubprotocol, configuration: ActiveConfiguration, since: String?) {
        terms = PullTerms(index: index, version: version, configuration: configuration)
        offersDeltas = configuration.usesDeltas
        crossing = CrossingPushes(isPushing: configuration.pushes)
        sequences = RemoteSequences(since: since)
    }

    var index: Int { terms.index }

    /// The documents that were taken on, of which the tables have the open ones.
    var count: DocumentCount {
        DocumentCount(total: total, open: announcements.requestCount + arrivals.requestedCount + purging)
    }

    /// No work is left; in a continuous pull, messages may come at any time.
    func isIdle(besides work: OutstandingWork) -> Bool {
        guard arrivals.isEmpty, !work.isAny(of: owner) else { return false }
        return switch subscription {
        case .requested, .active(isCaughtUp: false): false
        case .active(isCaughtUp: true): announcements.isEmpty
        // Announced rows are not looked up any more: the next session gets them again.
        case .ended: true
        }
    }

    /// All received revisions have been handled; the gateway may owe an answer.
    func hasNothingInside(besides work: OutstandingWork) -> Bool { arrivals.isEmpty && !work.hasJobs(of: owner) }

    private var owner: WorkOwner { WorkOwner(.pull, of: index) }

    var isHalted: Bool {
        if case .ended = subscription { true } else { false }
    }

    private var isCaughtUp: Bool {
        switch subscription {
        case .requested(let isCaughtUp), .active(let isCaughtUp): isCaughtUp
        case .ended: false
        }
    }

    // MARK: - Subscription

    mutating func subscribe(
        _ configuration: ActiveConfiguration, isActiveOnly: Bool, _ context: inout ActiveContext
    ) {
        let collection = configuration.collections[index]
        var request = SubChanges(collection: context.wireIndex(index))
        request.since = sequences.position
        request.isContinuous = configuration.isContinuous
        request.isActiveOnly = isActiveOnly
        request.batch = context.window.rowsPerBatch
        request.wantsRevocations = configuration.wantsRevocations
        request.channels = collection.channels
        request.documentIDs = collection.documentIDs
        if configuration.isContinuous, !collection.askedFor.isEmpty {
            ask(for: collection.askedFor, then: request, &context)
        } else {
            open(request, &context)
        }
        // Resolves the conflicts that earlier sessions left over.
        resolve(nil, &context)
    }

    mutating func open(_ request: SubChanges, _ context: inout ActiveContext) {
        subscription = .requested(isCaughtUp: false)
        context.output.send(request.request, as: .subChanges, collection: index)
    }

    mutating func subscriptionAnswered() {
        if case .requested(let isCaughtUp) = subscription { subscription = .active(isCaughtUp: isCaughtUp) }
    }

    /// The gateway has refused the feed.
    ///
    /// - Returns: why the replication fails; `nil` if it goes on.
    mutating func subscriptionFailed(_ failure: SyncFailure) -> SyncFailure? {
        switch feed {
        case .documents:
            // The documents that this feed would have brought are reported as conflicts.
            if !isHalted { subscription = .active(isCaughtUp: true) }
            return nil
        case .changes(let followsOther):
            halt()
            let isOtherOpen = followsOther && failure.domain == .http && failure.code == 500
            return isOtherOpen ? .feedStillOpen : failure
        }
    }

    /// No new work is begun; received revisions are stored.
    mutating func halt() { subscription = .ended }

    private mutating func caughtUp() {
        switch subscription {
        case .requested: subscription = .requested(isCaughtUp: true)
        case .active: subscription = .active(isCaughtUp: true)
        case .ended: break
        }
    }

    mutating func resolve(_ documentIDs: [String]?, _ context: inout ActiveContext) {
        context.output.begin(.resolveConflicts(collection: index)) { id in
            .resolveConflicts(id, collection: index, documentIDs)
        }
    }

    mutating func resolved(_ conflicts: [ResolvedConflict], _ context: inout ActiveContext) {
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

    // MARK: - Rows

    mutating func changesArrived(_ message: BLIPMessage, _ context: inout ActiveContext) throws(BLIPErrorReply) {
        // A row with too long an id is skipped below: it must not end the replication of all the others.
        let changes = try Changes(message, longestID: .max)
        guard !changes.rows.isEmpty else {
            caughtUp()
            if !message.isNoReply { context.output.respond(to: message.number) }
            return
        }
        // The next session gets these rows again.
        guard !isHalted else { return }
        // Revisions can only be requested in an answer; without one, the session would wait for the announced ones
        // forever.
        guard !message.isNoReply else { throw .badRequest("Changes that take no reply") }
        guard announcements.hasRoom(forRows: changes.rows.count) else { throw SyncFailure.tooManyAnnounced.reply }
        var lost: [Lost] = []
        var lookups: [AnnouncedRevision?] = []
        lookups.reserveCapacity(changes.rows.count)
        for row in changes.rows { lookups.append(lookup(for: row, &lost, &context)) }
        total += UInt64(lost.count)
        purge(lost, &context)
        announcements.append(Announcement(number: message.number, rows: changes.rows, lookups: lookups))
    }

    /// - Returns: the revision to look up; `nil` for a row that is settled.
    private mutating func lookup(
        for row: ChangeRow, _ lost: inout [Lost], _ context: inout ActiveContext
    ) -> AnnouncedRevision? {
        let feedIndex = sequences.announce(row.sequence)
        if terms.hasRowFlags, row.flags.isAccessLost {
            guard !isByName else {
                sequences.complete(row.sequence)
                return nil
            }
            access.lost(row.documentID, at: feedIndex)
            let document = LostDocument(documentID: row.documentID, revision: Self.revision(row), body: nil)
            lost.append(Lost(sequence: row.sequence, document: document, replyTo: nil))
            return nil
        }
        guard DocumentIDRules.isAcceptable(row.documentID) else {
            giveUp(Ended(sequence: row.sequence, documentID: row.documentID), for: .badDocumentID, &context)
            return nil
        }
        guard let revision = Self.revision(row) else {
            let failure = Self.badRevision(row.revision)
            giveUp(Ended(sequence: row.sequence, documentID: row.documentID), for: failure, &context)
            return nil
        }
        crossing.noteAnnounced(row.documentID)
        // Rows that come before the pull has caught up are older than this session, which has tried all refused
        // documents again at its start.
        if isCaughtUp { access.noteBackfill(row.sequence) }
        return AnnouncedRevision(
            documentID: row.documentID, revision: revision, isDeleted: row.flags.contains(.deleted))
    }

    private static func revision(_ row: ChangeRow) -> RevisionID? {
        row.revision.utf8.count <= SyncLimits.revisionBytes ? RevisionID(row.revision) : nil
    }

    mutating func purge(_ lost: [Lost], _ context: inout ActiveContext) {
        guard !lost.isEmpty else { return }
        purging += lost.count(where: \.isCounted)
        context.output.begin(.purge(collection: index, lost)) { id in
            .purge(id, collection: index, lost.map(\.document))
        }
    }

    mutating func purged(_ batch: [Lost], with verdicts: [PurgeVerdict], _ context: inout ActiveContext) {
        purging -= batch.count(where: \.isCounted)
        for (lost, verdict) in zip(batch, verdicts) {
            var event = DocumentEvent(
                collection: index, documentID: lost.document.documentID, isPush: false, isAccessLost: true)
            switch verdict {
            // A document that this side does not have any more is reported all the same (§6.7).
            case .notThere: event.wasHere = false
            case .purged, .kept: break
            case .vetoed: event.failure = .rejectedByPullFilter
            case .failed(let failure): event.failure = failure
            }
            context.events.append(event)
            if case .failed(let failure) = verdict {
                // The sequence stays open: the user has lost access, so another session has to purge the document.
                context.output.refuse(lost.replyTo, with: failure.reply)
            } else {
                sequences.complete(lost.sequence)
                context.output.respond(to: lost.replyTo)
            }
        }
    }

    private mutating func lookUpRows(_ context: inout ActiveContext) {
        while let announcement = announcements.popFirst(within: context.window) {
            let lookups = announcement.lookups.compactMap { $0 }
            guard !lookups.isEmpty else {
                answer(announcement, with: [], &context)
                continue
            }
            let job = context.output.begin(.checkAnnounced(collection: index, rows: lookups.count)) { id in
                .checkAnnounced(id, collection: index, lookups)
            }
            announcements.lookUpBegan(announcement, as: job)
        }
    }

    /// - Returns: documents whose announced revision this side already has.
    mutating func rowsDecided(
        _ decisions: [RowDecision], of job: JobID, _ context: inout ActiveContext
    ) -> [AnnouncedRevision] {
        guard let announcement = announcements.lookUpEnded(job) else { return [] }
        var known: [AnnouncedRevision] = []
        var entries: [ChangesReply.Entry] = []
        var decisions = decisions[...]
        for (row, lookup) in zip(announcement.rows, announcement.lookups) {
            guard let lookup, let decision = decisions.popFirst() else {
                entries.append(.unwanted)
                continue
            }
            switch decision {
            case .have:
                entries.append(.unwanted)
                end(Ended(sequence: row.sequence, documentID: row.documentID), as: .dismissed, &context)
                known.append(lookup)
            case .wanted(let ancestors):
                entries.append(.wanted(ancestors: ancestors.map(\.description)))
                let request = AnnouncementQueue.Wanted(
                    documentID: row.documentID, feedIndex: sequences.index(of: row.sequence) ?? 0)
                note(request, sequence: row.sequence)
            case .unreadable(let reason):
                entries.append(.unwanted)
                let ended = Ended(
                    sequence: row.sequence, documentID: row.documentID, isDeleted: row.flags.contains(.deleted))
                end(ended, as: .failed(.unreadable(reason)), &context)
            }
        }
        answer(announcement, with: entries, &context)
        return known
    }

    private mutating func answer(
        _ announcement: Announcement, with entries: [ChangesReply.Entry], _ context: inout ActiveContext
    ) {
        var reply = ChangesReply(entries: entries)
        reply.acceptsDeltas = offersDeltas
        offersDeltas = false
        context.output.respond(to: announcement.number, reply.properties, body: reply.body, isCompressed: true)
    }

    /// A revision is requested.
    ///
    /// - Parameter isCounted: whether its document counts in the progress already.
    mutating func note(_ request: AnnouncementQueue.Wanted, sequence: String, isCounted: Bool = false) {
        if announcements.requested(request, sequence: sequence), !isCounted { total += 1 }
    }

    /// - Returns: the index in the feed at which the revision that has come was announced, and whether it was requested.
    mutating func takeRequest(for sequence: String) -> (feedIndex: Int, isRequested: Bool) {
        if let request = announcements.answered(sequence: sequence) { return (request.feedIndex, true) }
        return (sequences.announce(sequence), false)
    }

    // MARK: - One step

    /// - Parameter pushed: the documents that are being pushed.
    mutating func pump(besides pushed: PushTable, _ context: inout ActiveContext) {
        loadSources(&context)
        examineArrivals(&context)
        attachments.start(index, &context)
        sortOutDeletions(besides: pushed, &context)
        store(&context)
        guard !isHalted else { return }
        lookUpRows(&context)
        if announcements.isEmpty, hasNothingInside(besides: context.output.work) {
            access.forgetLosses()
            crossing.forget()
        }
        beginNextFeed(&context)
    }
}
