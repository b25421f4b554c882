import BLIPProtocol
import DocumentValues

/// Serves the changes of a collection to its client: announces them, and sends the requested revisions.
struct RevisionFeed: Sendable {
    /// A `rev` message that is not sent yet.
    struct Unsent: Sendable {
        let batch: UInt64
        let bytes: Int
    }

    /// A revision that was sent as a difference, with the data for sending it as a whole.
    struct SentDelta: Sendable {
        let wanted: AnnouncedBatch.Wanted
        let terms: AnnouncedBatch.Terms
    }

    let index: Int
    private var subscription: FeedSubscription?

    // The batches by the tags of their messages.
    var batches: [UInt64: AnnouncedBatch] = [:]
    var unsent: [UInt64: Unsent] = [:]
    var deltas: [UInt64: SentDelta] = [:]
    var served = ServedAttachments()

    init(index: Int) { self.index = index }

    var isSubscribed: Bool { subscription != nil }

    /// Whether no message is open.
    var isEmpty: Bool { batches.isEmpty && unsent.isEmpty && deltas.isEmpty }

    // MARK: - Subscription

    mutating func subscribe(
        _ message: BLIPMessage, replyTo number: UInt32?, _ context: inout PassiveContext
    ) throws(BLIPErrorReply) {
        guard subscription == nil else { throw .http(500, message: "Changes feed is already running") }
        guard context.abandonedFeeds < PassiveLimits.abandonedFeeds else {
            throw .http(503, message: "Too many feeds were given up")
        }
        let options = try SubChanges(message)
        guard let since = Self.start(of: options) else { throw .badRequest("Invalid subChanges parameters") }
        guard options.documentIDs == nil || !options.isContinuous else {
            throw .badRequest("DocIDs filter not supported for continuous subChanges")
        }
        let id = context.output.begin(.openFeed(collection: index, request: number)) { id in
            .openFeed(id, collection: index, options, since: since)
        }
        subscription = FeedSubscription(id: id, options: options)
        context.filterBytes += options.filterBytes
    }

    /// `nil` where the options have a text that is no sequence.
    private static func start(of options: SubChanges) -> SequenceID? {
        guard let text = options.since else { return .zero }
        return SequenceID(parsing: text)
    }

    private mutating func end(_ subscription: FeedSubscription, _ context: inout PassiveContext) {
        self.subscription = nil
        context.filterBytes -= subscription.options.filterBytes
    }

    /// Ends the feed. A result that was requested for it may still come, perhaps only with the next new rows.
    mutating func unsubscribe(_ context: inout PassiveContext) {
        guard let subscription else { return }
        end(subscription, &context)
        if subscription.isBusy { context.abandonedFeeds += 1 }
        context.output.append(.closeFeed(subscription.id))
    }

    mutating func opened(
        _ id: JobID, replyTo number: UInt32?, with result: PassiveResult, _ context: inout PassiveContext
    ) {
        guard let subscription, subscription.id == id else {
            context.abandonedFeeds -= 1
            // When the client unsubscribed, the driver had no such feed yet, and did nothing. Now it has one.
            context.output.append(.closeFeed(id))
            return context.output.respond(to: number)
        }
        guard case .done = result else {
            end(subscription, &context)
            return context.output.refuse(number, with: result.error)
        }
        context.output.respond(to: number)
        self.subscription?.opened()
    }

    mutating func rowsRead(_ result: PassiveResult, of id: JobID, _ context: inout PassiveContext) {
        guard let subscription, subscription.id == id else {
            context.abandonedFeeds -= 1
            return
        }
        guard case .rows(let rows, let isCaughtUp) = result else {
            // Closes the connection, so that the client connects again: it would never notice that its feed has a gap.
            end(subscription, &context)
            let error = result.error
            let isForNow = error.domain == BLIPErrorReply.httpDomain && error.code == 503
            let reason = isForNow ? error.message : "The changes feed failed"
            return context.output.close(by: .close(code: 4001, reason: reason))
        }
        self.subscription?.take(rows, isCaughtUp: isCaughtUp)
    }

    // MARK: - Rows

    /// Announces rows as long as the session has room for a batch, and requests more.
    mutating func announce(_ context: inout PassiveContext) {
        guard var feed = subscription else { return }
        // Ends this reference, so that the rows are not copied when they are changed.
        subscription = nil
        while feed.hasRows, context.revisions.hasRoomForBatch {
            announce(feed.nextRows(), options: feed.options, &context)
        }
        if feed.announcesCaughtUp() {
            let marker = Changes(collection: context.wireIndex(index), rows: [])
            context.output.send(
                marker.request(for: context.configuration.version), as: .other, collection: index)
        }
        if feed.wantsRows, context.revisions.hasRoomForBatch {
            feed.readBegan()
            context.output.begin(.nextRows(collection: index, feed: feed.id)) { id in
                .nextRows(id, feed: feed.id, limit: feed.options.batch)
            }
        }
        subscription = feed
        if feed.isFinished { unsubscribe(&context) }
    }

    private mutating func announce(_ rows: [ChangeRow], options: SubChanges, _ context: inout PassiveContext) {
        let changes = Changes(collection: context.wireIndex(index), rows: rows)
        let tag = context.output.send(
            changes.request(for: context.configuration.version), as: .changes, collection: index)
        open(AnnouncedBatch(rows, acceptsReplacements: options.wantsReplacements), tag: tag, &context)
    }

    // MARK: - Batches

    mutating func changesAnswered(_ tag: UInt64, with message: BLIPMessage, _ context: inout PassiveContext) {
        guard var batch = batches[tag], batch.isAnnounced else { return }
        let reply = ChangesReply(message)
        // The client offers this once, for the whole connection.
        if reply?.acceptsDeltas == true { context.revisions.clientTakesDeltas = true }
        batch.answered(reply)
        keep(batch, tag: tag, &context)
    }

    /// A refused batch is skipped.
    mutating func changesRefused(_ tag: UInt64, _ context: inout PassiveContext) {
        if batches[tag]?.isAnnounced == true { end(tag, &context) }
    }

    mutating func open(_ batch: AnnouncedBatch, tag: UInt64, _ context: inout PassiveContext) {
        batches[tag] = batch
        context.revisions.batchOpened()
    }

    mutating func keep(_ batch: AnnouncedBatch, tag: UInt64, _ context: inout PassiveContext) {
        batches[tag] = batch
        if batch.isDone { end(tag, &context) }
    }

    mutating func end(_ tag: UInt64, _ context: inout PassiveContext) {
        batches[tag] = nil
        context.revisions.batchEnded()
    }
}
