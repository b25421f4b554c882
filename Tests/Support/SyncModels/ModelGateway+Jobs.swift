import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol

/// The jobs of a passive session.
extension ModelGateway: PassiveStore {
    package mutating func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) -> PassiveResult {
        .collections(
            zip(names, checkpointIDs).map { name, client in
                guard self.names?.contains(name.wireName) ?? true else { return .unknown }
                return .known(
                    checkpoint: checkpoints[client]?.body, revision: checkpoints[client].map { "0-\($0.revision)" })
            })
    }

    package mutating func loadCheckpoint(_ client: String, in collection: Int) -> PassiveResult {
        let stored = checkpoints[client]
        return .checkpoint(stored?.body, revision: stored.map { "0-\($0.revision)" })
    }

    package mutating func saveCheckpoint(
        _ client: String, in collection: Int, revision: String?, body: [UInt8]
    ) -> PassiveResult {
        let known = checkpoints[client].map { "0-\($0.revision)" }
        guard known == revision, let object = try? JSONObject(parsing: body) else {
            return .failed(.http(409, message: "Document update conflict"))
        }
        let next = (checkpoints[client]?.revision ?? 0) + 1
        checkpoints[client] = (object, next)
        return .saved(revision: "0-\(next)")
    }

    // MARK: - Pull

    package mutating func openFeed(_ feed: JobID, in collection: Int, options: SubChanges) -> PassiveResult {
        let start = logs[collection].lastIndex { $0.sequence.jsonText == options.since }.map { $0 + 1 } ?? 0
        feeds[FeedName(session: session, id: feed)] = Feed(
            collection: collection, isContinuous: options.isContinuous,
            documentIDs: options.documentIDs.map { Set($0.map { Name($0) }) }, position: start)
        return .done
    }

    package mutating func closeFeed(_ feed: JobID) { feeds[FeedName(session: session, id: feed)] = nil }

    package mutating func nextRows(of feed: JobID, limit: Int) -> PassiveResult? {
        let name = FeedName(session: session, id: feed)
        guard var feed = feeds[name] else { return .rows([], isCaughtUp: true) }
        let log = logs[feed.collection]
        var rows: [ChangeRow] = []
        while feed.position < log.count, rows.count < limit {
            let entry = log[feed.position]
            feed.position += 1
            guard feed.documentIDs?.contains(Name(entry.documentID)) ?? true else { continue }
            // Only the last entry of each document counts.
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

    package mutating func loadRevisions(_ requests: [RevisionRequest], in collection: Int) -> PassiveResult {
        .revisions(requests.map { load($0, collection) })
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

    package mutating func attachment(_ digest: String, of documentID: String, for number: UInt32) -> [UInt8]? {
        served.append(digest)
        return blobs[digest]
    }

    package mutating func takeServed() -> [String] {
        defer { served = [] }
        return served
    }

    // MARK: - Push

    package mutating func checkAnnounced(_ rows: [ChangeRow], in collection: Int) -> PassiveResult {
        .wanted(
            rows.map { row in
                let current = collections[collection][row.documentID]?.current.id
                return current?.description == row.revision
                    ? .unwanted : .wanted(ancestors: current.map { [$0.description] } ?? [])
            })
    }

    package mutating func checkProposed(_ rows: [ProposedRow], in collection: Int) -> PassiveResult {
        .proposals(rows.map { check($0, collection) })
    }

    private func check(_ row: ProposedRow, _ index: Int) -> ProposeChangesReply.Entry {
        guard let document = collections[index][row.documentID] else { return .send }
        let current = document.current.id.description
        if current == row.revision { return .known }
        if current == row.serverRevision { return .send }
        if row.serverRevision.isEmpty, document.current.isDeleted { return .send }
        return .conflict(serverRevision: current)
    }

    package mutating func loadSources(_ sources: [DeltaSource], in collection: Int) -> PassiveResult {
        let bodies = sources.map { asked in
            forgetsSources ? nil : source(of: asked.documentID, asked.revision, collection)?.wireBody
        }
        deltaCounts.sources += bodies.count { $0 != nil }
        return .sources(bodies)
    }

    /// A live revision that the user may see.
    private func source(of id: String, _ revision: RevisionID, _ index: Int) -> Document? {
        let known = [collections[index][id]].compactMap { $0 } + (replaced[index][id] ?? [])
        return known.first { $0.current.id == revision && isVisible($0) }
    }

    package mutating func storeRevisions(_ revisions: [IncomingRevision], in collection: Int) -> PassiveResult {
        .stored(revisions.map { accept($0, collection) })
    }

    private mutating func accept(_ pushed: IncomingRevision, _ index: Int) -> StoreOutcome {
        if let status = refusals[pushed.documentID] { return .refused(.http(status, message: "not now")) }
        let revision = ModelRevision(
            id: pushed.revision, history: pushed.history, isDeleted: pushed.isDeleted, body: pushed.body)
        let candidate = Document(current: revision, sequence: 0)
        for (digest, provided) in pushed.provided {
            guard case .content(let handle) = provided else { continue }
            blobs[digest.text] = kept[KeptName(session: session, handle: handle)]
        }
        let needs = (pushed.attachments?.entries ?? []).compactMap { $0.digest?.text }
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
        store(revision, pushed.attachments?.object, pushed.documentID, index)
        acceptances.append(
            Acceptance(
                collection: index, documentID: pushed.documentID, revision: pushed.revision,
                isDeleted: pushed.isDeleted))
        return .stored
    }

    package mutating func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) -> PassiveResult {
        kept[KeptName(session: session, handle: handle), default: []] += Array(bytes.readableBytesView)
        return .done
    }

    package mutating func dropAttachments(_ handles: [AttachmentHandle]) {
        for handle in handles { kept[KeptName(session: session, handle: handle)] = nil }
    }
}
