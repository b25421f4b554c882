import BLIPProtocol
import DocumentValues
import NIOCore

/// The feed: rows out, revisions after them.
extension PassiveSession {
    /// Announces rows as long as fewer than two batches are open, and asks for more.
    mutating func runFeeds() {
        for collection in feeds.keys.sorted() {
            guard var feed = feeds[collection] else { continue }
            while !feed.waiting.isEmpty, openChanges.count < PassiveLimits.openChanges {
                let rows = Array(feed.waiting.prefix(feed.options.batch))
                feed.waiting.removeFirst(rows.count)
                announce(rows, collection: collection, feed.options)
            }
            if feed.mustAnnounceCaughtUp {
                feed.hasAnnouncedCaughtUp = true
                let marker = Changes(collection: wireIndex(collection), rows: [])
                outgoing.append(.request(marker.request(for: version), tag: nextNumber()))
            }
            if feed.wantsRows, openChanges.count < PassiveLimits.openChanges {
                feed.isBusy = true
                let id = job(.nextRows(collection: collection, feed: feed.id))
                actions.append(.nextRows(id, feed: feed.id, limit: feed.options.batch))
            }
            feeds[collection] = feed
            if feed.isFinished { closeFeed(collection) }
        }
    }

    private mutating func announce(_ rows: [ChangeRow], collection: Int, _ options: SubChanges) {
        let tag = nextNumber()
        openChanges[tag] = OpenChanges(
            collection: collection, acceptsReplacements: options.wantsReplacements, rows: rows)
        let changes = Changes(collection: wireIndex(collection), rows: rows)
        outgoing.append(.request(changes.request(for: version), tag: tag))
    }

    /// The client's `unsubChanges`. What the driver was asked for may come late, or when something new does.
    mutating func closeFeed(_ collection: Int) {
        guard let feed = feeds.removeValue(forKey: collection) else { return }
        if feed.isBusy { abandonedFeeds += 1 }
        actions.append(.closeFeed(feed.id))
    }

    mutating func feedOpened(_ number: UInt32?, _ collection: Int, feed id: JobID, _ result: PassiveResult) {
        guard feeds[collection]?.id == id else {
            abandonedFeeds -= 1
            actions.append(.closeFeed(id))
            return respond(number)
        }
        guard case .done = result else {
            feeds[collection] = nil
            return refuse(number, Self.error(result))
        }
        respond(number)
        feeds[collection]?.isBusy = false
    }

    mutating func rowsRead(_ collection: Int, feed id: JobID, _ result: PassiveResult) {
        guard var feed = feeds[collection], feed.id == id else {
            abandonedFeeds -= 1
            return
        }
        guard case .rows(let rows, let isCaughtUp) = result else {
            // The client is made to come back; a feed with a hole would never be noticed.
            feeds[collection] = nil
            let error = Self.error(result)
            let isForNow = error.domain == BLIPErrorReply.httpDomain && error.code == 503
            return actions.append(.close(code: 4001, reason: isForNow ? error.message : "The changes feed failed"))
        }
        feed.isBusy = false
        feed.isCaughtUp = isCaughtUp
        feed.take(rows)
        feeds[collection] = feed
    }

    // MARK: Answers of the client

    /// The answer to `changes`, or to one of our other requests.
    mutating func receiveResponse(_ tag: UInt64, _ message: BLIPMessage) {
        if openChanges[tag] != nil {
            changesAnswered(tag, message)
        } else if attachmentRequests[tag] != nil {
            attachmentAnswered(tag, message)
        } else {
            openDeltas[tag] = nil
            served.end(tag)
        }
    }

    /// A refused `changes` batch is passed over, a refused `rev` needs nothing more unless it was a difference, a refused
    /// attachment fails its revision.
    mutating func receiveFailure(_ tag: UInt64, _ error: BLIPErrorReply) {
        if openChanges.removeValue(forKey: tag) != nil { return }
        if attachmentRequests[tag] != nil {
            attachmentRefused(tag, error)
        } else {
            served.end(tag)
            deltaRefused(tag, error)
        }
    }

    private mutating func changesAnswered(_ tag: UInt64, _ message: BLIPMessage) {
        guard var open = openChanges[tag], !open.rows.isEmpty else { return }
        let reply = ChangesReply(message)
        open.maxHistory = reply?.maxHistory
        // Told once, and remembered for the connection.
        if reply?.acceptsDeltas == true { clientTakesDeltas = true }
        for (row, entry) in zip(open.rows, reply?.entries ?? []) {
            switch entry {
            case .unwanted: break
            case .wanted(let ancestors): open.wanted.append(OpenChanges.Wanted(row: row, ancestors: ancestors))
            }
        }
        open.rows = []
        keep(open, tag)
    }

    private mutating func keep(_ open: OpenChanges, _ tag: UInt64) {
        openChanges[tag] = open.isDone ? nil : open
    }

    // MARK: Revisions

    /// Loads what was asked for, as much at once as can be held.
    mutating func startLoads() {
        for tag in openChanges.keys.sorted() {
            guard var open = openChanges[tag], open.loading.isEmpty, !open.wanted.isEmpty, let bytes = bytesToLoad()
            else { continue }
            open.loading = Array(open.wanted.prefix(pace.count(within: bytes)))
            open.wanted = open.wanted.dropFirst(open.loading.count)
            open.loadingBytes = min(bytes, pace.bytes(of: open.loading.count))
            loadingBytes += open.loadingBytes
            roomToLoad -= open.loadingBytes
            openChanges[tag] = open
            let requests = requests(ofLoad: tag)
            let id = job(.loadRevisions(changes: tag))
            actions.append(.loadRevisions(id, collection: open.collection, requests, upTo: bytes))
        }
    }

    /// What the next load may come to; `nil` while it has to wait for others to be on their way. Without room a client
    /// still gets a little at a time: it is not to wait for others that do not read.
    private func bytesToLoad() -> Int? {
        let bytes = min(PassiveLimits.loadedBytes, roomToLoad)
        if bytes >= PassiveLimits.leastLoadedBytes { return unsentBytes < PassiveLimits.unsentBytes ? bytes : nil }
        return bytesToSend == 0 ? PassiveLimits.leastLoadedBytes : nil
    }

    mutating func revisionsLoaded(_ tag: UInt64, _ result: PassiveResult) {
        guard var open = openChanges[tag] else { return }
        loadingBytes -= open.loadingBytes
        open.loadingBytes = 0
        guard case .revisions(let loaded) = result, !loaded.isEmpty, loaded.count <= open.loading.count else {
            openChanges[tag] = nil
            return actions.append(.close(code: 4001, reason: "The revisions could not be read"))
        }
        pace.note(loaded)
        for (wanted, revision) in zip(open.loading, loaded) {
            let revTag = nextNumber()
            outgoing.append(.request(message(for: wanted, revision, open, tag: revTag), tag: revTag))
            unsent[revTag] = (tag, revision.bodyCount)
            unsentBytes += revision.bodyCount
        }
        open.unsentCount += loaded.count
        // What there was no room for is loaded when these are on their way.
        if loaded.count < open.loading.count { open.wanted = open.loading[loaded.count...] + open.wanted }
        open.loading = []
        openChanges[tag] = open
    }

    /// The place of a batch is free again when the last of its revisions is on its way.
    mutating func revisionSent(_ revTag: UInt64) {
        guard let sent = unsent.removeValue(forKey: revTag) else { return }
        unsentBytes -= sent.bytes
        guard var open = openChanges[sent.changes] else { return }
        open.unsentCount -= 1
        keep(open, sent.changes)
    }

    private mutating func message(
        for wanted: OpenChanges.Wanted, _ loaded: LoadedRevision, _ open: OpenChanges, tag: UInt64
    ) -> BLIPRequest {
        let row = wanted.row
        switch loaded {
        case .found(let revision, let history, let isDeleted, let body, let attachments):
            guard var rev = rev(wanted, revision, history, body, open) else {
                return noRevision(row, open, 404, "revision not found")
            }
            rev.isDeleted = isDeleted
            rev.isNoReply = attachments.isEmpty
            served.allow(attachments, of: row.documentID, collection: open.collection, until: tag)
            return rev.request(asGateway: true)
        case .delta(let source, let revision, let history, let body, let attachments):
            guard let rev = rev(wanted, revision, history, body, open, from: source) else {
                return noRevision(row, open, 404, "revision not found")
            }
            openDeltas[tag] = SentDelta(
                collection: open.collection, acceptsReplacements: open.acceptsReplacements,
                maxHistory: open.maxHistory, wanted: wanted)
            served.allow(attachments, of: row.documentID, collection: open.collection, until: tag)
            return rev.request(asGateway: true)
        case .removed(let history):
            var rev = Rev(
                collection: wireIndex(open.collection), documentID: row.documentID, revision: row.revision,
                body: ByteBuffer(string: #"{"_removed":true}"#))
            rev.sequence = row.sequence
            rev.history = Self.history(history, rev, ancestors: wanted.ancestors, limit: open.maxHistory)
            rev.isNoReply = true
            return rev.request(asGateway: true)
        case .unavailable(let status, let reason): return noRevision(row, open, status, reason)
        }
    }

    /// `nil` for a newer revision than the one asked for, where the client wants none, and where no message could name it.
    ///
    /// - Parameter source: what the body is a difference to.
    private func rev(
        _ wanted: OpenChanges.Wanted, _ revision: RevisionID, _ history: RevisionHistory, _ body: [UInt8],
        _ open: OpenChanges, from source: RevisionID? = nil
    ) -> Rev? {
        let row = wanted.row
        let isReplacement = revision.description != row.revision
        guard !isReplacement || open.acceptsReplacements else { return nil }
        let ids = [revision.description, source?.description].compactMap { $0 }
        guard ids.allSatisfy({ $0.utf8.count <= SyncLimits.revisionBytes }) else { return nil }
        var rev = Rev(
            collection: wireIndex(open.collection), documentID: row.documentID, revision: revision.description,
            body: ByteBuffer(bytes: body))
        rev.sequence = row.sequence
        rev.deltaSource = source?.description
        rev.replacedRevision = isReplacement ? row.revision : nil
        rev.history = Self.history(history, rev, ancestors: wanted.ancestors, limit: open.maxHistory)
        return rev
    }

    private func noRevision(_ row: ChangeRow, _ open: OpenChanges, _ status: Int, _ reason: String) -> BLIPRequest {
        NoRev(
            collection: wireIndex(open.collection), documentID: row.documentID, revision: row.revision,
            sequence: row.sequence, error: status, reason: reason
        ).request
    }

    /// Up to and with the first ancestor that the client has, at most as many as it wants and as fit.
    private static func history(
        _ history: RevisionHistory, _ rev: Rev, ancestors: [String], limit: Int?
    ) -> String {
        let known = Set(ancestors)
        let common = history.ancestors.first { known.contains($0.description) }
        return history.property(
            through: common, limit: max(1, limit ?? SyncLimits.maxHistory),
            beside: rev.revision, rev.deltaSource, rev.replacedRevision)
    }
}
