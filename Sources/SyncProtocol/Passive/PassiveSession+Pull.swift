import BLIPProtocol
import DocumentValues
import NIOCore

/// The feed: rows out, revisions after them.
extension PassiveSession {
    /// Announces rows as long as fewer than two batches are open, and asks for more.
    mutating func announceRows() {
        for collection in feeds.keys.sorted() {
            guard var feed = feeds[collection] else { continue }
            while !feed.waiting.isEmpty, openChanges.count < PassiveLimits.openChanges {
                let rows = Array(feed.waiting.prefix(feed.options.batch))
                feed.waiting.removeFirst(rows.count)
                announce(rows, collection: collection)
            }
            if feed.mustTellCaughtUp {
                feed.hasToldCaughtUp = true
                let marker = Changes(collection: wireIndex(collection), rows: [])
                outgoing.append(.request(marker.request(for: version), tag: nextNumber()))
            }
            if feed.wantsRows, openChanges.count < PassiveLimits.openChanges {
                feed.isAskedForRows = true
                actions.append(.nextRows(collection: collection, limit: feed.options.batch))
            }
            feeds[collection] = feed
        }
    }

    private mutating func announce(_ rows: [ChangeRow], collection: Int) {
        let tag = nextNumber()
        openChanges[tag] = OpenChanges(collection: collection, rows: rows)
        let changes = Changes(collection: wireIndex(collection), rows: rows)
        outgoing.append(.request(changes.request(for: version), tag: tag))
    }

    /// The client's answer to `changes`, or to one of our other requests.
    mutating func receiveResponse(_ tag: UInt64, _ message: BLIPMessage) {
        if openChanges[tag] != nil {
            changesAnswered(tag, message)
        } else if attachmentRequests[tag] != nil {
            attachmentProved(tag, String(decoding: message.body.readableBytesView, as: UTF8.self))
        } else {
            served.end(tag)
        }
    }

    /// A refused `changes` batch is passed over, a refused `rev` needs nothing more, a refused attachment fails its
    /// revision.
    mutating func receiveFailure(_ tag: UInt64, _ error: BLIPErrorReply) {
        if openChanges.removeValue(forKey: tag) != nil { return }
        if attachmentRequests[tag] != nil {
            attachmentRefused(tag, error)
        } else {
            served.end(tag)
        }
    }

    private mutating func changesAnswered(_ tag: UInt64, _ message: BLIPMessage) {
        guard var open = openChanges[tag], let reply = ChangesReply(message) else {
            openChanges[tag] = nil
            return
        }
        open.maxHistory = reply.maxHistory
        for (index, entry) in reply.entries.prefix(open.rows.count).enumerated() {
            switch entry {
            case .unwanted: break
            case .wanted(let ancestors): open.wanted.append((index, ancestors))
            }
        }
        guard !open.wanted.isEmpty else {
            openChanges[tag] = nil
            return
        }
        let wishes = open.wanted.map { wanted in
            RevisionWish(
                documentID: open.rows[wanted.row].documentID, revision: open.rows[wanted.row].revision)
        }
        openChanges[tag] = open
        let id = job(.loadRevisions(changes: tag))
        actions.append(.loadRevisions(id, collection: open.collection, wishes))
    }

    mutating func revisionsLoaded(_ tag: UInt64, _ result: PassiveResult) {
        guard var open = openChanges[tag] else { return }
        guard case .revisions(let loaded) = result, loaded.count == open.wanted.count else {
            openChanges[tag] = nil
            actions.append(.close(code: 4001, reason: "The revisions could not be read"))
            return
        }
        for (wanted, revision) in zip(open.wanted, loaded) {
            let row = open.rows[wanted.row]
            let revTag = nextNumber()
            let request = message(for: row, wanted.ancestors, revision, open, tag: revTag)
            outgoing.append(.request(request, tag: revTag))
            open.unsent.insert(revTag)
            openChangesOfRev[revTag] = tag
        }
        open.wanted = []
        openChanges[tag] = open
    }

    /// The slot of a batch is free again when the last of its revisions is on its way.
    mutating func revisionSent(_ revTag: UInt64) {
        guard let tag = openChangesOfRev.removeValue(forKey: revTag) else { return }
        openChanges[tag]?.unsent.remove(revTag)
        if let open = openChanges[tag], open.unsent.isEmpty, open.wanted.isEmpty { openChanges[tag] = nil }
    }

    private mutating func message(
        for row: ChangeRow, _ ancestors: [String], _ loaded: LoadedRevision, _ open: OpenChanges, tag: UInt64
    ) -> BLIPRequest {
        let collection = wireIndex(open.collection)
        switch loaded {
        case .found(let revision, let history, let isDeleted, let body, let attachments):
            let isReplacement = revision.description != row.revision
            guard !isReplacement || feeds[open.collection]?.options.wantsReplacements == true else {
                return unavailable(row, collection, 404, "revision not found")
            }
            var rev = Rev(
                collection: collection, documentID: row.documentID, revision: revision.description,
                body: ByteBuffer(bytes: body))
            rev.sequence = row.sequence
            rev.isDeleted = isDeleted
            rev.history = Self.history(history, ancestors: ancestors, limit: open.maxHistory)
            rev.replacedRevision = isReplacement ? row.revision : nil
            rev.isNoReply = attachments.isEmpty
            served.allow(attachments, of: row.documentID, collection: open.collection, until: tag)
            return rev.request(asGateway: true)
        case .removed:
            var rev = Rev(
                collection: collection, documentID: row.documentID, revision: row.revision,
                body: ByteBuffer(string: #"{"_removed":true}"#))
            rev.sequence = row.sequence
            rev.isNoReply = true
            return rev.request(asGateway: true)
        case .unavailable(let status, let reason): return unavailable(row, collection, status, reason)
        }
    }

    private func unavailable(_ row: ChangeRow, _ collection: Int?, _ status: Int, _ reason: String) -> BLIPRequest {
        NoRev(
            collection: collection, documentID: row.documentID, revision: row.revision, sequence: row.sequence,
            error: status, reason: reason
        ).request
    }

    /// Up to and with the first ancestor that the client has, at most as many as it wants.
    private static func history(_ history: RevisionHistory, ancestors: [String], limit: Int?) -> String {
        let known = Set(ancestors)
        let common = history.ancestors.first { known.contains($0.description) }
        return history.prefix(through: common, limit: max(1, limit ?? SyncLimits.maxHistory)).description
    }
}
