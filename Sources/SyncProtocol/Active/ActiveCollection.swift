import BLIPProtocol
import DocumentValues

/// One collection of a session: its checkpoint, its push and its pull.
struct ActiveCollection: Sendable {
    /// Whether the gateway was asked for changes.
    private enum Feed: Sendable {
        /// There is no pull, or it has not begun.
        case none
        /// Collections of an earlier turn go first.
        case waiting(isActiveOnly: Bool)
        case open
        /// The changes that there were at the beginning are here.
        case settled
    }

    let index: Int
    var checkpointer: Checkpointer
    var pusher: Pusher?
    var puller: Puller?
    /// The checkpoint from which push and pull started; `nil` before.
    private var start: Checkpoint?
    private var feed = Feed.none
    /// The gateway does not have it: there is nothing to do in this session.
    private var isLeftOut = false

    init(index: Int, configuration: ActiveConfiguration) {
        self.index = index
        checkpointer = Checkpointer(
            index: index, configuration: configuration.collections[index], mark: configuration.mark)
    }

    mutating func start(
        at checkpoint: Checkpoint, _ configuration: ActiveConfiguration, version: SyncSubprotocol,
        _ context: inout ActiveContext
    ) {
        guard !hasStarted else { return }
        start = checkpoint
        let collection = configuration.collections[index]
        if configuration.pulls {
            var puller = Puller(
                index: index, version: version, configuration: configuration, since: checkpoint.remote)
            let isFirst = checkpointer.local == nil && collection.isEmpty
            if collection.turn == 0 {
                puller.subscribe(configuration, isActiveOnly: isFirst, &context)
                feed = .open
            } else {
                feed = .waiting(isActiveOnly: isFirst)
            }
            self.puller = puller
        }
        if configuration.pushes {
            var pusher = Pusher(
                index: index, configuration: configuration, completed: checkpoint.completed,
                doubtful: checkpoint.doubtful, pullsAll: checkpoint.remote == nil)
            pusher.retryRefusals(&context)
            self.pusher = pusher
        }
    }

    mutating func leaveOut() { isLeftOut = true }

    /// Whether collections of later turns still wait for it.
    ///
    /// - Parameter work: of the session.
    mutating func isAhead(besides work: OutstandingWork) -> Bool {
        switch feed {
        case .none, .settled: return false
        case .waiting: return true
        case .open:
            guard isPullIdle(besides: work) else { return true }
            feed = .settled
            return false
        }
    }

    /// It is this collection's turn; does nothing if that was so before.
    mutating func openFeed(by configuration: ActiveConfiguration, _ context: inout ActiveContext) {
        guard case .waiting(let isActiveOnly) = feed else { return }
        feed = .open
        puller?.subscribe(configuration, isActiveOnly: isActiveOnly, &context)
    }

    private var hasStarted: Bool { start != nil }

    /// How far push and pull have come. A session that does not push leaves the doubt to the next one that pushes.
    var progress: Checkpoint {
        Checkpoint(
            completed: pusher?.sequences.completed ?? SequenceRanges(), remote: puller?.position,
            doubtful: pusher?.sequences.doubtful ?? start?.doubtful ?? 0)
    }

    /// The documents of the pull and of the push.
    var counts: [DocumentCount] { [puller?.count, pusher?.documents.counted].compactMap { $0 } }

    /// - Parameter work: of the session.
    func isIdle(besides work: OutstandingWork) -> Bool {
        isLeftOut || !work.isAny(in: index) && hasNoTransfers(besides: work)
    }

    /// Something was completed that no checkpoint contains yet.
    var isDirty: Bool { hasStarted && checkpointer.isDirty(progress) }

    /// A session that stops may close: it has stored all received revisions, got the answers to those that it sent, and saved
    /// its checkpoint.
    func mayClose(besides work: OutstandingWork) -> Bool {
        guard hasStarted else { return true }
        guard puller?.hasNothingInside(besides: work) ?? true, pusher?.documents.sentCount ?? 0 == 0,
            !checkpointer.isSaving
        else { return false }
        return !checkpointer.isRemoteKnown || !isDirty
    }

    /// There is nothing more to push or to pull for now.
    private func hasNoTransfers(besides work: OutstandingWork) -> Bool {
        hasStarted && pusher?.isIdle(besides: work) ?? true && isPullIdle(besides: work)
    }

    private func isPullIdle(besides work: OutstandingWork) -> Bool { puller?.isIdle(besides: work) ?? true }

    /// The times at which there is work to do even if no message or result comes.
    func wakeUpTimes(besides work: OutstandingWork) -> [Instant] {
        let conflicts = isPullIdle(besides: work) ? pusher?.documents.reportTime : nil
        return [checkpointer.dueTime(progress), pusher?.retryTime, conflicts].compactMap { $0 }
    }

    /// Decides on the next work; called after each event.
    mutating func pump(_ context: inout ActiveContext) {
        guard hasStarted else { return }
        puller?.crossing.pushesAccepted(pusher?.accepted.takeNewDocuments() ?? [])
        puller?.pump(besides: pusher?.documents ?? PushTable(), &context)
        if puller?.access.takeRegained() == true { pusher?.retryRefusals(&context) }
        // Before the push goes on, since the push stops if too many documents wait.
        if isPullIdle(besides: context.output.work) { askForUnknown(&context) }
        if isPullIdle(besides: context.output.work) { pusher?.reportDueConflicts(&context) }
        pusher?.pump(&context)
        let isStopping = pusher?.isHalted ?? true && puller?.isHalted ?? true
        let atOnce = isStopping || hasNoTransfers(besides: context.output.work)
        checkpointer.save(progress, atOnce: atOnce, &context)
    }

    /// Asks for revisions that the gateway announced before, and that were purged or filtered out here since then: the
    /// gateway does not announce them again by itself.
    private mutating func askForUnknown(_ context: inout ActiveContext) {
        guard puller?.isHalted == false, let isContinuous = pusher?.terms.isContinuous,
            let unknown = pusher?.takeUnknownConflicts(at: context.now), !unknown.isEmpty
        else { return }
        if !isContinuous {
            puller?.ask(for: unknown.map(\.documentID), &context)
        } else if unknown.contains(where: { !$0.isQuietRetry }) {
            // The continuous feed has no end: the next session asks before it begins the feed.
            context.fail(.asksAgain)
        }
    }
}
