import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol

/// A gateway with one user, in memory and as simple as can be: the work that a passive session asks for.
///
/// A document's channel is its member `c`; writing needs the channel, as a sync function with `requireAccess` would.
/// What the user is sent is a log of all that ever happened to her view; a feed reads on in it.
package struct ModelGateway: Sendable {
    package struct Document: Sendable {
        package var current: ModelRevision
        package var sequence: UInt64
        package var attachments: JSONObject?

        package var chain: [RevisionID] { [current.id] + current.history.ancestors }
        var wireBody: [UInt8] {
            guard let attachments else { return current.body }
            return appendingMembers(Array(#""_attachments":"#.utf8) + attachments.bytes, toObject: current.body)
        }

        package var channel: String? { (try? JSONObject(parsing: current.body))?["c"]?.stringValue }
    }

    struct LogEntry: Sendable {
        var sequence: SequenceID
        var documentID: String
        var flags: RowFlags
    }

    /// Each session numbers its feeds for itself.
    private struct FeedName: Hashable {
        var session: Int
        var id: JobID
    }

    private struct KeptName: Hashable {
        var session: Int
        var handle: AttachmentHandle
    }

    struct Feed: Sendable {
        var collection: Int
        var isContinuous: Bool
        /// `nil`: all.
        var documentIDs: Set<Name>?
        var position: Int
        var hasAnnouncedCaughtUp = false
    }

    package var collections: [[Name: Document]]
    /// Revisions that were replaced, as long as they are kept for differences.
    private var replaced: [[Name: [Document]]]
    /// As if no source of a pushed difference were there.
    package var forgetsSources = false
    /// How often something went as a difference, from here and to here.
    package private(set) var deltaCounts = (sent: 0, sources: 0)
    private var logs: [[LogEntry]]
    package private(set) var channels: Set<String>
    package struct Acceptance: Sendable {
        package var collection: Int
        package var documentID: String
        package var revision: RevisionID
        package var isDeleted: Bool
    }

    /// What was accepted from clients since somebody looked.
    package var acceptances: [Acceptance] = []
    /// Statuses with which pushes of documents are refused.
    package var refusals: [Name: Int] = [:]
    private var sequence: UInt64 = 0
    private var checkpoints: [String: (body: JSONObject, revision: Int)] = [:]
    private var checkpointIDs: [String] = []
    package private(set) var blobs: [String: [UInt8]] = [:]
    private var feeds: [FeedName: Feed] = [:]
    /// Attachments on their way in.
    private var kept: [KeptName: [UInt8]] = [:]

    package var keptAttachments: Int { kept.count }

    package init(collections count: Int, channels: Set<String>) {
        collections = Array(repeating: [:], count: count)
        replaced = Array(repeating: [:], count: count)
        logs = Array(repeating: [], count: count)
        self.channels = channels
    }

    // MARK: - What happens here

    package func isVisible(_ document: Document) -> Bool {
        !document.current.isDeleted && document.channel.map(channels.contains) ?? false
    }

    package mutating func edit(_ id: String, in index: Int, body: String, isDeleted: Bool) {
        let old = collections[index][id]
        let parent = old?.current
        let bytes = Array(body.utf8)
        let revision = RevisionDigest.gatewayRevision(
            parent: parent?.id, body: (try? JSONValue(parsing: bytes)) ?? .null)
        let history = parent.map { $0.history.appending($0.id, limit: SyncLimits.maxHistory) } ?? RevisionHistory()
        store(
            ModelRevision(id: revision, history: history, isDeleted: isDeleted, body: bytes), nil, id, index)
    }

    package mutating func setChannels(_ new: Set<String>) {
        let (gained, lost) = (new.subtracting(channels), channels.subtracting(new))
        channels = new
        sequence += 1
        for index in collections.indices {
            let documents = collections[index].filter { !$0.value.current.isDeleted }
                .sorted { $0.value.sequence < $1.value.sequence }
            for (id, document) in documents {
                guard let channel = document.channel else { continue }
                let position = SequenceID(document.sequence, triggeredBy: sequence)
                if lost.contains(channel) {
                    logs[index].append(LogEntry(sequence: position, documentID: id.text, flags: .revoked))
                } else if gained.contains(channel) {
                    logs[index].append(LogEntry(sequence: position, documentID: id.text, flags: []))
                }
            }
        }
    }

    private mutating func store(
        _ revision: ModelRevision, _ attachments: JSONObject?, _ id: String, _ index: Int
    ) {
        if let old = collections[index][id] { replaced[index][id, default: []].append(old) }
        let wasVisible = collections[index][id].map { isVisible($0) } ?? false
        // Who was sent a deletion is sent the one on top of it.
        let lastReported = logs[index].last { $0.documentID.isExactly(id) }
        let wasReportedGone = revision.isDeleted && lastReported?.flags.contains(.deleted) ?? false
        sequence += 1
        let document = Document(current: revision, sequence: sequence, attachments: attachments)
        collections[index][id] = document
        let isReported = wasVisible || wasReportedGone
        let flags: RowFlags? =
            isVisible(document) ? [] : !isReported ? nil : revision.isDeleted ? [.deleted, .removed] : .removed
        if let flags {
            logs[index].append(LogEntry(sequence: SequenceID(sequence), documentID: id, flags: flags))
        }
    }

    // MARK: - What a session asks

    package mutating func forgetFeeds() { feeds = [:] }

    /// No difference can be made to anything but what is current.
    package mutating func forgetReplaced() { replaced = Array(repeating: [:], count: replaced.count) }

    /// `nil` while there is nothing to answer.
    ///
    /// - Parameter session: which of several connections asks.
    package mutating func perform(_ action: PassiveAction, for session: Int = 0) -> (JobID, PassiveResult)? {
        switch action {
        case .resolveCollections(let id, _, let checkpointIDs):
            self.checkpointIDs = checkpointIDs
            return (
                id,
                .collections(
                    checkpointIDs.map { client in
                        .known(
                            checkpoint: checkpoints[client]?.body,
                            revision: checkpoints[client].map { "0-\($0.revision)" })
                    })
            )
        case .loadCheckpoint(let id, _, let client):
            let stored = checkpoints[client]
            return (id, .checkpoint(stored?.body, revision: stored.map { "0-\($0.revision)" }))
        case .saveCheckpoint(let id, _, let client, let revision, let body):
            return (id, save(client, revision, body))
        case .openFeed(let id, let collection, let options):
            let start = logs[collection].lastIndex { $0.sequence.jsonText == options.since }.map { $0 + 1 } ?? 0
            feeds[FeedName(session: session, id: id)] = Feed(
                collection: collection, isContinuous: options.isContinuous,
                documentIDs: options.documentIDs.map { Set($0.map { Name($0) }) }, position: start)
            return (id, .done)
        case .nextRows(let id, let feed, let limit):
            return rows(FeedName(session: session, id: feed), limit).map { (id, $0) }
        case .checkAnnounced(let id, let collection, let rows):
            let entries = rows.map { row -> ChangesReply.Entry in
                let current = collections[collection][row.documentID]?.current.id
                return current?.description == row.revision
                    ? .unwanted : .wanted(ancestors: current.map { [$0.description] } ?? [])
            }
            return (id, .wanted(entries))
        case .checkProposed(let id, let collection, let rows):
            return (id, .proposals(rows.map { check($0, collection) }))
        case .loadSources(let id, let collection, let sources):
            let bodies = sources.map { asked in
                forgetsSources ? nil : source(of: asked.documentID, asked.revision, collection)?.wireBody
            }
            deltaCounts.sources += bodies.count { $0 != nil }
            return (id, .sources(bodies))
        case .storeRevisions(let id, let collection, let revisions):
            return (id, .stored(revisions.map { accept($0, collection, session) }))
        case .keepAttachment(let id, let handle, let bytes):
            kept[KeptName(session: session, handle: handle), default: []] += Array(bytes.readableBytesView)
            return (id, .done)
        case .dropAttachments(let handles):
            for handle in handles { kept[KeptName(session: session, handle: handle)] = nil }
            return nil
        case .loadRevisions(let id, let collection, let requests, _):
            return (id, .revisions(requests.map { load($0, collection) }))
        case .closeFeed(let id):
            feeds[FeedName(session: session, id: id)] = nil
            return nil
        case .send, .serveAttachment, .noteRefusal, .pauseReading, .resumeReading, .close: return nil
        }
    }

    private mutating func save(_ client: String, _ revision: String?, _ body: [UInt8]) -> PassiveResult {
        let known = checkpoints[client].map { "0-\($0.revision)" }
        guard known == revision, let object = try? JSONObject(parsing: body) else {
            return .failed(.http(409, message: "Document update conflict"))
        }
        let next = (checkpoints[client]?.revision ?? 0) + 1
        checkpoints[client] = (object, next)
        return .saved(revision: "0-\(next)")
    }

    private mutating func rows(_ name: FeedName, _ limit: Int) -> PassiveResult? {
        guard var feed = feeds[name] else { return .rows([], isCaughtUp: true) }
        let log = logs[feed.collection]
        var rows: [ChangeRow] = []
        while feed.position < log.count, rows.count < limit {
            let entry = log[feed.position]
            feed.position += 1
            guard feed.documentIDs?.contains(Name(entry.documentID)) ?? true else { continue }
            // Of each document only the last entry counts.
            guard !log[feed.position...].contains(where: { $0.documentID.isExactly(entry.documentID) }),
                let document = collections[feed.collection][entry.documentID]
            else { continue }
            rows.append(
                ChangeRow(
                    sequence: entry.sequence.jsonText, documentID: entry.documentID,
                    revision: document.current.id.description, flags: entry.flags))
        }
        let isCaughtUp = feed.position == log.count
        if rows.isEmpty, feed.hasAnnouncedCaughtUp, feed.isContinuous { return nil }
        if isCaughtUp { feed.hasAnnouncedCaughtUp = true }
        feeds[name] = feed
        return .rows(rows, isCaughtUp: isCaughtUp)
    }

    private func check(_ row: ProposedRow, _ index: Int) -> ProposeChangesReply.Entry {
        guard let document = collections[index][row.documentID] else { return .send }
        let current = document.current.id.description
        if current == row.revision { return .known }
        if current == row.serverRevision { return .send }
        if row.serverRevision.isEmpty, document.current.isDeleted { return .send }
        return .conflict(serverRevision: current)
    }

    private mutating func accept(_ pushed: IncomingRevision, _ index: Int, _ session: Int) -> StoreOutcome {
        if let status = refusals[pushed.documentID] { return .refused(.http(status, message: "not now")) }
        let revision = ModelRevision(
            id: pushed.revision, history: pushed.history, isDeleted: pushed.isDeleted, body: pushed.body)
        let candidate = Document(current: revision, sequence: 0)
        for (digest, provided) in pushed.provided {
            guard case .content(let handle) = provided else { continue }
            blobs[digest.text] = kept[KeptName(session: session, handle: handle)]
        }
        let needs = (pushed.attachments?.members ?? []).compactMap { $0.value["digest"]?.stringValue }
            .filter { blobs[$0] == nil }
        if !needs.isEmpty { return .needs(needs.map { .content(digest: $0) }) }
        if let old = collections[index][pushed.documentID] {
            if old.chain.contains(pushed.revision) { return .stored }
            let parent = pushed.history.ancestors.first { old.chain.contains($0) }
            let revives = old.current.isDeleted && !pushed.isDeleted && parent == nil
            guard parent == old.current.id || revives else {
                return .refused(.http(409, message: "Document revision conflict"))
            }
        }
        let channel = pushed.isDeleted ? collections[index][pushed.documentID]?.channel : candidate.channel
        if let channel, !channels.contains(channel) {
            return .refused(.http(403, message: "sg missing channel access"))
        }
        store(revision, pushed.attachments, pushed.documentID, index)
        acceptances.append(
            Acceptance(
                collection: index, documentID: pushed.documentID, revision: pushed.revision,
                isDeleted: pushed.isDeleted))
        return .stored
    }

    /// A live revision that the user may see.
    private func source(of id: String, _ revision: RevisionID, _ index: Int) -> Document? {
        let known = [collections[index][id]].compactMap { $0 } + (replaced[index][id] ?? [])
        return known.first { $0.current.id == revision && isVisible($0) }
    }

    private mutating func load(_ request: RevisionRequest, _ index: Int) -> LoadedRevision {
        guard let document = collections[index][request.documentID] else { return .unavailable(404, "missing") }
        let history = document.current.history
        guard isVisible(document) || document.current.isDeleted else { return .removed(history) }
        let digests = (document.attachments?.members ?? []).compactMap { $0.value["digest"]?.stringValue }
        if let from = request.deltaSource, !document.current.isDeleted,
            let source = source(of: request.documentID, from, index),
            let delta = try? DeltaBody.wireDifference(from: source.wireBody, to: document.wireBody)
        {
            deltaCounts.sent += 1
            return .delta(
                from: from, revision: document.current.id, history: history, body: delta, attachments: digests)
        }
        return .found(
            revision: document.current.id, history: history, isDeleted: document.current.isDeleted,
            body: document.wireBody, attachments: digests)
    }
}

/// A revision of a model's document.
package struct ModelRevision: Hashable, Sendable {
    package var id: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    package var body: [UInt8]

    package init(
        id: RevisionID, history: RevisionHistory = RevisionHistory(), isDeleted: Bool = false,
        body: [UInt8] = Array("{}".utf8)
    ) {
        self.id = id
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
    }
}

/// Documents under their ids.
extension Dictionary where Key == Name {
    package subscript(id: String) -> Value? {
        get { self[Name(id)] }
        set { self[Name(id)] = newValue }
    }

    subscript(id: String, default value: @autoclosure () -> Value) -> Value {
        get { self[Name(id), default: value()] }
        set { self[Name(id), default: value()] = newValue }
    }
}
