import BLIPProtocol
import DocumentValues
import NIOCore

/// Brings a collection's remote changes here: answers announcements, takes revisions in, stores them in batches.
///
/// Revisions go through stages: *requested*, *patched* (differences), *examined* (blobs, filter), *waiting* for blobs, *ready*, *storing*. Each
/// announced sequence is done when its revision was stored, given up for good, or not wanted in the first place.
struct Puller: Sendable {
    struct Announcement: Sendable {
        var number: UInt32
        var rows: [ChangeRow]
        /// For each row, what to look up; `nil` for a row that is settled already.
        var lookups: [AnnouncedRevision?]
    }

    struct Requested: Sendable {
        var documentID: String
        var place: Int
    }

    /// A revision that came.
    struct Arrival: Sendable {
        var sequence: String
        /// The sequence's place in the feed.
        var place: Int
        /// The request to answer when the revision is stored.
        var replyTo: UInt32?
        var revision: ReceivedRevision
        var blobs: [BlobMetadata] = []
    }

    struct Lost: Sendable {
        var sequence: String
        var documentID: String
        var replyTo: UInt32?
    }

    let index: Int
    let version: SyncSubprotocol
    let hasFilter: Bool
    var sequences: RemoteSequences

    var isSubscribed = false
    /// The gateway said that nothing more follows for now.
    var isCaughtUp = false
    var isHalted = false
    /// The next answer to an announcement says that differences are welcome; once is enough.
    private var offersDeltas: Bool

    var announcements = CircularBuffer<Announcement>()
    /// Rows in them.
    private(set) var announcedRows = 0
    var lookingUp = CircularBuffer<Announcement>()
    /// Rows in them.
    private var rowsLookedUp = 0
    var requested: [Name: Requested] = [:]
    var revisionSizes = RevisionSizes()
    var toPatch: [Difference] = []
    var patching = CircularBuffer<[Difference]>()
    var toExamine: [Arrival] = []
    var examining = CircularBuffer<[Arrival]>()
    var downloads = Downloads()
    var ready: [Arrival] = []
    var storing: [Arrival] = []
    /// Deletions that wait for the answer to a push.
    var held: [Name: [Arrival]] = [:]
    /// Whether the replication pushes, too.
    var meetsPushes = false
    /// Documents of which something was announced that is not dealt with: what was live then may come as deleted. Empty
    /// where nothing is pushed.
    var announced: Set<Name> = []
    /// Those of them that the gateway has accepted from us since, and as what.
    var overtaken: [Name: RevisionID] = [:]
    var purging = CircularBuffer<[Lost]>()
    var openResolutions = 0
    /// The last place in the feed at which access to a document was lost: what was announced before is void.
    var lostPlaces: [Name: Int] = [:]
    /// The access change that the last backfilled row spoke of.
    private var lastTrigger: UInt64 = 0
    /// Access seems to have come back; the pusher may try again what was refused.
    var hasRegainedAccess = false

    init(index: Int, version: SyncSubprotocol, hasFilter: Bool, offersDeltas: Bool, since: String?) {
        self.index = index
        self.version = version
        self.hasFilter = hasFilter
        self.offersDeltas = offersDeltas
        sequences = RemoteSequences(since: since)
    }

    /// Nothing is under way; in a continuous pull, something may come at any time.
    var isIdle: Bool {
        (isHalted || isSubscribed && isCaughtUp) && announcements.isEmpty && lookingUp.isEmpty && requested.isEmpty
            && hasNothingInside
    }

    /// What has come is dealt with.
    var hasNothingInside: Bool {
        toPatch.isEmpty && patching.isEmpty && toExamine.isEmpty && examining.isEmpty && downloads.isEmpty
            && ready.isEmpty && held.isEmpty && storing.isEmpty && purging.isEmpty && openResolutions == 0
    }

    mutating func subscribe(
        _ configuration: ActiveConfiguration, isActiveOnly: Bool, _ context: inout ActiveContext
    ) {
        let collection = configuration.collections[index]
        var subscription = SubChanges(collection: context.wireIndex(index))
        subscription.since = sequences.position
        subscription.isContinuous = configuration.isContinuous
        subscription.isActiveOnly = isActiveOnly
        subscription.wantsRevocations = configuration.wantsRevocations
        subscription.channels = collection.channels
        subscription.documentIDs = collection.documentIDs
        context.send(subscription.request, .subChanges, index)
        // Conflicts of earlier sessions.
        resolve(nil, &context)
    }

    mutating func resolve(_ documentIDs: [String]?, _ context: inout ActiveContext) {
        openResolutions += 1
        context.actions.append(.resolveConflicts(collection: index, documentIDs))
    }

    // MARK: - Rows

    mutating func changesArrived(_ message: BLIPMessage, _ context: inout ActiveContext) throws(BLIPErrorReply) {
        // Whose id is too long is skipped below: one row must not end the replication of all the others.
        let changes = try Changes(message, longestID: .max)
        guard !changes.rows.isEmpty else {
            isCaughtUp = true
            if !message.isNoReply { context.respond(message.number) }
            return
        }
        // Without an answer nothing can be asked for, and what was announced would be awaited for ever.
        guard !message.isNoReply else { throw .badRequest("Changes that take no reply") }
        guard announcedRows + changes.rows.count <= ActiveLimits.announcedRows else {
            throw SyncFailure.tooManyAnnounced.reply
        }
        announcedRows += changes.rows.count
        var lost: [Lost] = []
        var lookups: [AnnouncedRevision?] = []
        lookups.reserveCapacity(changes.rows.count)
        for row in changes.rows {
            let place = sequences.announce(row.sequence)
            if version.hasRowFlags, row.flags.isAccessLost {
                lostPlaces[Name(row.documentID)] = place
                lost.append(Lost(sequence: row.sequence, documentID: row.documentID, replyTo: nil))
                lookups.append(nil)
            } else if !DocumentIDRules.isAcceptable(row.documentID) {
                giveUp(row.sequence, row.documentID, isDeleted: false, .badDocumentID, &context)
                lookups.append(nil)
            } else if row.revision.utf8.count <= SyncLimits.revisionBytes, let revision = RevisionID(row.revision) {
                lookups.append(AnnouncedRevision(documentID: row.documentID, revision: revision))
                if meetsPushes { announced.insert(Name(row.documentID)) }
                noteBackfill(row.sequence)
            } else {
                giveUp(row.sequence, row.documentID, isDeleted: false, Self.badRevision(row.revision), &context)
                lookups.append(nil)
            }
        }
        purge(lost.map { LostDocument(documentID: $0.documentID, body: nil) }, lost, &context)
        announcements.append(Announcement(number: message.number, rows: changes.rows, lookups: lookups))
    }

    /// `120:7` is an old document that comes because of an access change at 120. What comes before the pull has caught up
    /// is of changes that were there when the session began, with which everything refused was tried again.
    private mutating func noteBackfill(_ text: String) {
        guard isCaughtUp, text.utf8.contains(UInt8(ascii: ":")), let sequence = SequenceID(parsing: text),
            sequence.triggeredBy > lastTrigger
        else { return }
        lastTrigger = sequence.triggeredBy
        hasRegainedAccess = true
    }

    mutating func purge(_ documents: [LostDocument], _ lost: [Lost], _ context: inout ActiveContext) {
        guard !documents.isEmpty else { return }
        context.total += UInt64(documents.count)
        purging.append(lost)
        context.actions.append(.purge(collection: index, documents))
    }

    mutating func purged(_ verdicts: [PurgeVerdict], _ context: inout ActiveContext) {
        guard !purging.isEmpty else { return }
        for (lost, verdict) in zip(purging.removeFirst(), verdicts) {
            context.completed += 1
            sequences.complete(lost.sequence)
            if let number = lost.replyTo { context.respond(number) }
            var event = DocumentEvent(
                collection: index, documentID: lost.documentID, isPush: false, isAccessLost: true)
            switch verdict {
            // A document that is not here any more is told of like one that was (transcript 25 n140).
            case .notThere: event.wasHere = false
            case .purged, .kept: break
            case .vetoed: event.failure = .rejectedByPullFilter
            }
            context.events.append(event)
        }
    }

    private mutating func lookUpRows(_ context: inout ActiveContext) {
        while !announcements.isEmpty, outstandingRows < revisionSizes.requests {
            let announcement = announcements.removeFirst()
            announcedRows -= announcement.rows.count
            let lookups = announcement.lookups.compactMap { $0 }
            guard !lookups.isEmpty else {
                answer(announcement, [], &context)
                continue
            }
            lookingUp.append(announcement)
            rowsLookedUp += announcement.rows.count
            context.actions.append(.decideRows(collection: index, lookups))
        }
    }

    /// Revisions that were asked for, and rows that may become such.
    private var outstandingRows: Int { requested.count + rowsLookedUp }

    /// - Returns: documents whose announced revision is here already.
    mutating func rowsDecided(_ verdicts: [RowVerdict], _ context: inout ActiveContext) -> [AnnouncedRevision] {
        guard !lookingUp.isEmpty else { return [] }
        let announcement = lookingUp.removeFirst()
        rowsLookedUp -= announcement.rows.count
        var known: [AnnouncedRevision] = []
        var entries: [ChangesReply.Entry] = []
        var next = 0
        for (row, lookup) in zip(announcement.rows, announcement.lookups) {
            guard let lookup, next < verdicts.count else {
                entries.append(.unwanted)
                continue
            }
            switch verdicts[next] {
            case .have:
                entries.append(.unwanted)
                sequences.complete(row.sequence)
                handled(row.documentID)
                known.append(lookup)
            case .wanted(let ancestors):
                entries.append(.wanted(ancestors: ancestors.map(\.description)))
                let place = sequences.index(of: row.sequence) ?? 0
                requested[Name(row.sequence)] = Requested(documentID: row.documentID, place: place)
                context.total += 1
            }
            next += 1
        }
        answer(announcement, entries, &context)
        return known
    }

    private mutating func answer(
        _ announcement: Announcement, _ entries: [ChangesReply.Entry], _ context: inout ActiveContext
    ) {
        var reply = ChangesReply(entries: entries)
        reply.acceptsDeltas = offersDeltas
        offersDeltas = false
        context.respond(announcement.number, reply.properties, body: reply.body, isCompressed: true)
    }

    // MARK: - One step

    mutating func pump(_ sending: Set<Name>, _ context: inout ActiveContext) {
        loadSources(&context)
        examineArrivals(&context)
        downloads.start(index, &context)
        sortOutDeletions(sending, &context)
        store(&context)
        guard !isHalted else { return }
        lookUpRows(&context)
        if announcements.isEmpty, requested.isEmpty, lookingUp.isEmpty, hasNothingInside {
            lostPlaces = [:]
            announced = []
            overtaken = [:]
        }
    }

    // MARK: - Ends

    /// The sequence will not bring a document: an event for the application, and it is done, or waits for another
    /// session where the failure may pass.
    mutating func giveUp(
        _ sequence: String, _ documentID: String, isDeleted: Bool, _ failure: SyncFailure,
        _ context: inout ActiveContext
    ) {
        context.events.append(
            DocumentEvent(
                collection: index, documentID: documentID, isPush: false, isDeleted: isDeleted, failure: failure))
        if !failure.isTransient { sequences.complete(sequence) }
    }

    static func badRevision(_ text: String) -> SyncFailure {
        SyncFailure(
            .liteCore, SyncFailure.badRevisionCode,
            "'\(text.shortened(toScalars: 60).withControlsEscaped)' is not a revision id")
    }
}
