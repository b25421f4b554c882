import AccessControl
import DocumentValues

/// A reader's position in the changes of one collection.
///
/// For one caller at a time: `next` returns the present rows, and `waitForChanges` waits for later ones, without a
/// thread and without polling.
package actor ChangesFeed {
    private let service: FeedService
    private let requester: Requester
    private let request: ChangesRequest
    private let collection: Int64
    /// The database's epoch when the feed began. It changes when the database is interrupted; then the feed must not go
    /// on.
    private let epoch: UInt64

    /// All rows for this reader up to here were returned.
    private var position: SequenceID
    private var lastRow: SequenceID
    private var pass: FeedPass?
    private var activeOnly: Bool
    /// The end of the last pass; changes after it are news.
    private var coveredThrough: UInt64 = 0
    /// Rows of a feed of certain documents that were not returned yet, the next one last.
    private var documentRows: [FeedRow]?

    init(_ request: ChangesRequest, as requester: Requester, collection: Int64, service: FeedService) {
        self.request = request
        self.requester = requester
        self.collection = collection
        self.service = service
        epoch = service.commits.epoch
        position = request.since
        lastRow = request.since
        activeOnly = request.activeOnly
    }

    /// Returns up to `limit` rows after the last ones; fewer if they include large documents. If there are none, the
    /// batch is empty and caught up. Never waits for changes.
    package func next(limit: Int) async throws -> ChangesBatch {
        guard service.commits.epoch == epoch else { throw GatewayError.underMaintenance }
        if request.documentIDs != nil { return try await nextDocuments(limit) }
        var pass = try await currentPass()
        // Removed from the actor first, so that the buffers of the pass are not copied.
        self.pass = nil
        guard !pass.isEmpty else { return end(pass, rows: []) }
        if let rows = try fewRows(limit, of: pass) { return end(pass, rows: rows) }
        let (activeOnly, service, collection) = (activeOnly, service, collection)
        let request = request
        let (page, advanced) = try await service.store.read(for: requester.account) { [pass] store in
            var advanced = pass
            let reader = DocumentReader(
                store: store, collection: collection, view: advanced.view, cache: service.revisions)
            let page = try await reader.page(limit, request: request, activeOnly: activeOnly) {
                try await advanced.take($0, activeOnly: activeOnly, from: store)
            }
            return (page, advanced)
        }
        pass = advanced
        if page.isLast { return end(pass, rows: page.rows) }
        self.pass = pass
        return batch(page.rows, isCaughtUp: false)
    }

    /// `nil` if they are many, or if their documents are to be read, too.
    private func fewRows(_ limit: Int, of pass: FeedPass) throws -> [FeedRow]? {
        guard let news = service.news, !request.includesDocuments, !request.includesLeaves else { return nil }
        return try pass.fewRows(limit, activeOnly: activeOnly, from: news)
    }

    /// Returns when a change that this feed may show was committed since `next` was caught up.
    ///
    /// Throws `CancellationError` when the task is cancelled, and a `GatewayError` when the database goes offline.
    package func waitForChanges() async throws {
        try await service.commits.wait(for: try await topics(), after: coveredThrough, epoch: epoch)
    }

    // MARK: - Passes

    private func currentPass() async throws -> FeedPass {
        if let pass { return pass }
        // The sequence is read before the view, so that the view includes all commits up to the sequence.
        let through = service.commits.lastSequence
        let (view, userSequence) = try await service.views.view(of: requester, in: request.collection)
        let (request, position, activeOnly, collection, commits) = (
            request, position, activeOnly, collection, service.commits
        )
        let userRow = userRow(userSequence, through: through)
        @Sendable func make() -> FeedPass {
            let plan = FeedPlan(
                view: view, since: position, through: through, channels: request.channels,
                wantsRevocations: request.revocations && !activeOnly,
                reportsLossesInPlace: request.reportsLossesInPlace)
            return FeedPass(
                plan, view: view, collection: collection, wanted: request.channels, through: through, userRow: userRow
            ) { channel, sequence in
                commits.mayHaveChanged(.channel(ChannelKey(collection: collection, channel: channel)), after: sequence)
            }
        }
        // With thousands of channels the plan takes a while. It is made by a reader of the store, since the shared
        // threads, one for each core, also serve other requests.
        guard view.channels.since.count > GatewayLimits.channelsPlannedInPlace else { return make() }
        return try await service.store.read(for: requester.account) { _ in make() }
    }

    private func userRow(_ sequence: UInt64?, through: UInt64) -> FeedRow? {
        guard request.includesUser, let sequence, let name = requester.userName, sequence > 0, sequence <= through,
            position < SequenceID(sequence)
        else { return nil }
        return FeedRow(sequence: SequenceID(sequence), id: "_user/\(name)", revision: nil)
    }

    private func end(_ pass: FeedPass, rows: [FeedRow]) -> ChangesBatch {
        coveredThrough = pass.through
        if position < SequenceID(pass.through) { position = SequenceID(pass.through) }
        if request.activeUntilCaughtUp { activeOnly = false }
        return batch(rows, isCaughtUp: true)
    }

    private func batch(_ rows: [FeedRow], isCaughtUp: Bool) -> ChangesBatch {
        if let last = rows.last { lastRow = last.sequence }
        return ChangesBatch(rows: rows, isCaughtUp: isCaughtUp, lastSequence: lastRow)
    }

    private func topics() async throws -> [CommitEvents.Topic] {
        let (view, _) = try await service.views.view(of: requester, in: request.collection)
        let principals = try await service.views.principals(behind: requester)
        let areMany = principals.count > GatewayLimits.topicsOfFeed
        return channelTopics(view) + (areMany ? [.anyPrincipal] : principals.map { .principal($0) })
    }

    private func channelTopics(_ view: AccessView) -> [CommitEvents.Topic] {
        guard view.mostWatchedChannels(request.channels) <= GatewayLimits.topicsOfFeed else {
            return [.anyChannel(of: collection)]
        }
        return view.watchedChannels(request.channels).map {
            .channel(ChannelKey(collection: collection, channel: $0.0))
        }
    }

    // MARK: - Feeds of certain documents

    /// The current entries of the requested documents, in the order of their sequences. Each is returned once.
    private func nextDocuments(_ limit: Int) async throws -> ChangesBatch {
        let (view, _) = try await service.views.view(of: requester, in: request.collection)
        let (request, activeOnly, collection, service) = (request, activeOnly, collection, service)
        let known = documentRows
        let (page, rest) = try await service.store.read(for: requester.account) { store in
            let reader = DocumentReader(store: store, collection: collection, view: view, cache: service.revisions)
            var rest: [FeedRow]
            if let known {
                rest = known
            } else {
                rest = try await reader.rows(request, activeOnly: activeOnly).reversed()
            }
            let page = try await reader.page(limit, request: request, activeOnly: activeOnly) { count in
                let taken = rest.suffix(count).reversed()
                rest.removeLast(taken.count)
                return Array(taken)
            }
            return (page, rest)
        }
        documentRows = rest
        return batch(page.rows, isCaughtUp: rest.isEmpty)
    }
}

extension DocumentReader {
    /// Rows of certain documents, by their sequences.
    fileprivate func rows(_ request: ChangesRequest, activeOnly: Bool) async throws -> [FeedRow] {
        var rows: [FeedRow] = []
        for id in Set((request.documentIDs ?? []).map { Name($0) }) {
            guard let stored = try await find(id.text, readsBody: false),
                SequenceID(stored.sequence) > request.since, let row = row(of: stored),
                !activeOnly || !(row.isDeleted || row.isRemovedFromAll)
            else { continue }
            rows.append(row)
        }
        return rows.sorted { $0.sequence < $1.sequence }
    }

    /// Reads rows and adds the requested leaves and documents. A page ends early if its documents are large.
    ///
    /// - Parameter take: returns the next rows, as many as requested; fewer only at the end.
    fileprivate func page(
        _ limit: Int, request: ChangesRequest, activeOnly: Bool, take: (Int) async throws -> [FeedRow]
    ) async throws -> (rows: [FeedRow], isLast: Bool) {
        let step = request.includesDocuments ? min(1, limit) : limit
        var rows: [FeedRow] = []
        var room = GatewayLimits.pageOfDocuments
        var isLast: Bool
        repeat {
            var taken = try await take(step)
            isLast = taken.count < step
            try await complete(&taken, request: request, activeOnly: activeOnly)
            for row in taken { room -= row.document?.weight ?? 0 }
            rows += taken
        } while !isLast && rows.count < limit && room > 0
        return (rows, isLast)
    }

    /// Adds the leaves and documents to the rows, if the request includes them.
    fileprivate func complete(_ rows: inout [FeedRow], request: ChangesRequest, activeOnly: Bool) async throws {
        if request.includesLeaves { try await addLeaves(to: &rows, activeOnly: activeOnly) }
        guard request.includesDocuments else { return }
        for index in rows.indices { rows[index].document = try await document(of: rows[index]) }
    }

    /// Adds the other leaves of the documents. If a document left the reader's channels, only two kinds are shown:
    /// tombstones, which end a branch that the reader may have, and leaves that the reader may still read. A row of a
    /// document that the client has to purge gets none.
    private func addLeaves(to rows: inout [FeedRow], activeOnly: Bool) async throws {
        let wanted = rows.indices.filter { rows[$0].revision != nil && !rows[$0].isRevoked }
        let ids = wanted.map { rows[$0].id }
        var live: [Int: Set<RevisionID>] = [:]
        try await store.documents.forEachTree(of: ids, in: collection) { number, tree in
            guard let tree, !tree.isLine else { return }
            let index = wanted[number]
            let leaves = tree.leaves.filter { !activeOnly || !$0.isDeleted }
            if rows[index].isRemovedFromAll { live[index] = Set(leaves.filter { !$0.isDeleted }.map(\.revision)) }
            rows[index].otherLeaves = leaves.map(\.revision).filter { $0 != rows[index].revision }.winnersFirst
        }
        for (index, live) in live {
            let unreadable = live.subtracting(try await readableLeaves(of: rows[index].id))
            rows[index].otherLeaves.removeAll { unreadable.contains($0) }
        }
    }

    private func readableLeaves(of id: String) async throws -> Set<RevisionID> {
        guard let stored = try await find(id) else { return [] }
        let leaves = [stored.current] + (try await store.state(of: stored).branches)
        return Set(leaves.filter { sight.view.sees($0.channels) }.map(\.revision))
    }

    /// The document of a row, redacted if the reader may not see it; `nil` if it is gone or the row is for the user.
    func document(of row: FeedRow) async throws -> DocumentRevision? {
        guard let wanted = row.revision else { return nil }
        do {
            return try await revision(wanted, of: row.id)
        } catch let error as GatewayError where error.status == 404 {
            return nil
        }
    }

    /// The row of a single document; `nil` if the reader sees neither it nor its removal. A reader who sees everything
    /// never loses a document.
    fileprivate func row(of stored: StoredDocument) -> FeedRow? {
        let left =
            sight.view.seesAll
            ? [] : stored.channels.past.filter { $0.isLatest && $0.span.end == stored.sequence }.map(\.channel)
        let removed = left.filter { sight.view.sees([$0]) }.sorted()
        guard sight.isVisible(stored) || !removed.isEmpty else { return nil }
        return FeedRow(
            sequence: SequenceID(stored.sequence), id: stored.id, revision: stored.revision,
            isDeleted: stored.isDeleted, removed: removed, isRemovedFromAll: !sight.isVisible(stored))
    }
}
