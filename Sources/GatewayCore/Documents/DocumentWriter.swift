import AccessControl
import DocumentValues
import SyncFunction

/// Stores planned writes inside a transaction.
struct DocumentWriter {
    let transaction: any StoreTransaction
    let setup: DatabaseSetup
    let collection: Int64
    let cache: RevisionCache
    /// Seconds since 1970.
    let now: Int64
    /// The user whose write makes the grants; empty for an administrator, or for the gateway itself.
    private let giver: Name
    /// Whether the disk has room for replaced revisions; if not, differences are only made from the revisions in
    /// memory.
    private let keepsReplaced: Bool
    var grantTable: GrantTable { GrantTable(transaction, configured: setup.names, giver: giver) }
    var feed: any FeedWrites { transaction.feed(of: collection) }

    init(
        _ transaction: any StoreTransaction, setup: DatabaseSetup, collection: Int64, cache: RevisionCache, now: Int64,
        giver: Name = "", keepsReplaced: Bool = true
    ) {
        self.giver = giver
        self.keepsReplaced = keepsReplaced
        self.transaction = transaction
        self.setup = setup
        self.collection = collection
        self.cache = cache
        self.now = now
    }

    /// Why an unchanged document may not have the grants that the present sync function gives it; `nil` if it may.
    func excess(of outcome: SyncFunctionOutcome, over stored: StoredDocument) async throws -> GatewayError? {
        let grants = DocumentGrants(outcome)
        guard !grants.isEmpty else { return nil }
        return try await grantTable.excess(of: grants, over: stored.grants)
    }

    /// Whether the document is still as it was read.
    func isCurrent(_ stored: StoredDocument) async throws -> Bool {
        try await transaction.reader.documents.sequence(of: stored.id, in: collection) == stored.sequence
    }

    // MARK: - The same revision, decided again

    /// Takes over a new decision of the sync function on an unchanged document. If channels or grants change, the
    /// document gets a new sequence, so that clients are notified.
    ///
    /// - Returns: whether anything changed; also false if the document has changed since it was read.
    func settle(
        _ stored: StoredDocument, outcome: SyncFunctionOutcome, expires: Int64?, movesAlways: Bool
    ) async throws -> Bool {
        guard try await isCurrent(stored) else { return false }
        let names = outcome.documentChannels
        let grants = DocumentGrants(outcome)
        let expires = stored.isDeleted ? nil : expires
        let isSame = Set(stored.channels.current.keys) == names && stored.grants == grants
        guard movesAlways || !isSame || expires != stored.expires else { return false }
        let sequence = try await transaction.nextSequence()
        var channels = stored.channels
        let entries = channels.update(to: names, at: sequence)
        let new = DocumentRow(
            sequence: sequence, revision: stored.revision, isDeleted: stored.isDeleted, channels: channels,
            tree: stored.tree, expires: expires, grants: grants, attachments: stored.attachments, body: stored.body)
        let change = DocumentRowChange(target: .init(stored, id: stored.id), row: new, entries: entries)
        try await transaction.documents.replaceAccess(by: change, in: collection)
        try await grantTable.replaceGrants(
            ofDocument: stored.number, in: collection, from: stored.grants, to: grants, at: sequence)
        return true
    }

    // MARK: - Attachments and replaced revisions

    func storeAttachments(_ plan: WritePlan, new: DocumentRow, document: Int64) async throws {
        var kept = new.attachments?.digests ?? []
        var old = plan.stored?.attachments?.digests ?? []
        if plan.isBranched {
            kept.formUnion(plan.keptBranches().flatMap(\.attachmentDigests))
            if plan.isLeafBeside { kept.formUnion(plan.attachments.metadata?.digests ?? []) }
            old.formUnion(plan.branches.flatMap(\.attachmentDigests))
        }
        // Most documents have no attachments: no request to the store is needed for them.
        guard !(kept.isEmpty && old.isEmpty) else { return }
        let content = plan.attachments.content.filter { kept.contains($0.key) }
        let replaced = transaction.replacedAttachments
        try await replaced.deleteNow(kept.subtracting(old).subtracting(content.keys), of: document)
        try await replaced.insert(
            old.subtracting(kept), of: document, now: now,
            seconds: setup.configuration.retention.replacedAttachmentSeconds)
        for (digest, content) in content {
            try await transaction.attachments.insert(content, digest: digest, of: document)
            try await replaced.keep(digest, of: document)
        }
    }

    /// Keeps a replaced revision in memory, and makes the row for the store, as the limits allow.
    ///
    /// - Returns: the row for the store; `nil` if the store is not to keep the revision.
    func remember(_ revision: StoredRevision, of stored: StoredDocument) -> ReplacedRevision? {
        cache.insert(
            RevisionCache.Key(stored, revision: revision.revision), revision: revision,
            until: now + setup.configuration.deltaSync.rememberedSeconds)
        guard keepsReplaced, let seconds = setup.configuration.deltaSync.storedSeconds else { return nil }
        return ReplacedRevision(revision: revision, document: stored.number, expires: now + seconds)
    }

    /// Erases a document without a trace, and revokes its grants.
    ///
    /// - Returns: the number of its row; `nil` if it is not there.
    func purge(_ id: String) async throws -> Int64? {
        guard let stored = try await transaction.reader.documents.find(id, in: collection) else { return nil }
        let entries = stored.channels.current.keys.map { ChannelEntry(channel: $0, sequence: stored.sequence) }
        let removals = stored.channels.past.filter(\.isLatest)
        try await feed.delete(entries + removals.map { ChannelEntry(channel: $0.channel, sequence: $0.span.end) })
        if !stored.grants.isEmpty {
            try await grantTable.replaceGrants(
                ofDocument: stored.number, in: collection, from: stored.grants, to: DocumentGrants(),
                at: try await transaction.nextSequence())
        }
        try await transaction.attachments.deleteAll(of: stored.number)
        try await transaction.oldRevisions.deleteAll(document: stored.number)
        if !stored.tree.isLine { try await transaction.branches.deleteAll(document: stored.number) }
        try await transaction.documents.delete(number: stored.number)
        return stored.number
    }
}
