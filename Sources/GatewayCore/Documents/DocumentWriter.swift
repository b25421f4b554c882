import AccessControl
import DocumentValues
import SyncFunction

/// Stores planned writes inside a transaction.
struct DocumentWriter {
    let transaction: WriteTransaction
    let setup: DatabaseSetup
    let collection: Int64
    let cache: RevisionCache
    /// Seconds since 1970.
    let now: Int64
    /// The user whose write makes the grants; empty for an administrator, or for the gateway itself.
    private let giver: Name
    /// Whether the disk has room for replaced revisions; otherwise differences are only made from those in memory.
    private let keepsReplaced: Bool
    private var grantTable: GrantTable { GrantTable(transaction, configured: setup.names, giver: giver) }
    private var feed: FeedWrites { transaction.feed(of: collection) }

    init(
        _ transaction: WriteTransaction, setup: DatabaseSetup, collection: Int64, cache: RevisionCache, now: Int64,
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

    /// - Parameter promoted: the decision on the leaf that becomes current instead, if one does.
    /// - Returns: `nil` if the document has changed since the write was planned.
    func store(_ plan: WritePlan, decision: SyncDecision, promoted: SyncDecision? = nil) throws -> WriteOutcome? {
        guard try isUnchanged(plan) else { return nil }
        let sequence = transaction.nextSequence()
        let (new, entries) = try newState(plan, decision: decision, promoted: promoted, at: sequence)
        let number = try save(new, plan: plan)
        try storeEntries(entries, of: number, old: plan.stored?.sequence, new: new)
        try storeAttachments(plan, new: new, document: number)
        try grantTable.replaceGrants(
            ofDocument: number, in: collection, from: plan.stored?.grants ?? DocumentGrants(), to: new.grants,
            at: sequence)
        if plan.isBranched { try storeBranches(plan, decision: decision, at: sequence, of: number) }
        if let stored = plan.stored, !plan.tree.isLeaf(stored.revision) { try remember(stored.current, of: stored) }
        return WriteOutcome(id: plan.document.id, revision: plan.revision, sequence: sequence)
    }

    /// Why the document cannot be stored, if only the transaction can know: a user or role would be granted too much by
    /// all documents together. A write that was planned over another revision is planned again instead.
    func refusal(of plan: WritePlan, _ decision: SyncDecision, promoted: SyncDecision?) throws -> GatewayError? {
        let grants = grants(after: plan, decision, promoted: promoted)
        guard !grants.isEmpty, try isUnchanged(plan) else { return nil }
        return try grantTable.excess(
            of: grants, over: plan.stored?.grants ?? DocumentGrants())
    }

    /// The same for an unchanged document, by a new decision of the sync function.
    func excess(of outcome: SyncFunctionOutcome, over stored: StoredDocument) throws -> GatewayError? {
        let grants = DocumentGrants(outcome)
        guard !grants.isEmpty else { return nil }
        return try grantTable.excess(of: grants, over: stored.grants)
    }

    /// The document's grants after the write, by the leaf that is then current.
    private func grants(after plan: WritePlan, _ decision: SyncDecision, promoted: SyncDecision?) -> DocumentGrants {
        switch (plan.effect, plan.stored) {
        case (.staysBeside, let stored?): stored.grants
        case (.promotes, _): promoted.map { DocumentGrants($0.outcome) } ?? DocumentGrants()
        case (.becomesCurrent, _), (.staysBeside, nil): DocumentGrants(decision.outcome)
        }
    }

    /// The row of the leaf that is current after the write.
    private func newState(
        _ plan: WritePlan, decision: SyncDecision, promoted: SyncDecision?, at sequence: UInt64
    ) throws -> (DocumentRow, DocumentChannels.EntryChanges) {
        var channels = plan.stored?.channels ?? DocumentChannels()
        func state(
            _ leaf: StoredRevision, names: Set<Name>, grants: DocumentGrants, expires: Int64?
        ) throws -> (DocumentRow, DocumentChannels.EntryChanges) {
            var entries = channels.update(to: names, at: sequence)
            if leaf.isDeleted, let stored = plan.stored, leaf.revision != stored.revision {
                channels.move(try deletions(of: stored), to: sequence, in: &entries)
            }
            let new = DocumentRow(
                sequence: sequence, revision: leaf.revision, isDeleted: leaf.isDeleted, channels: channels,
                tree: plan.tree,
                expires: leaf.isDeleted ? nil : expires, grants: grants, attachments: leaf.attachments,
                body: leaf.body)
            return (new, entries)
        }
        let written = plan.content(decision, at: sequence)
        let grants = grants(after: plan, decision, promoted: promoted)
        switch (plan.effect, plan.stored) {
        case (.staysBeside, let stored?):
            return try state(
                stored.current, names: Set(stored.channels.current.keys), grants: grants, expires: stored.expires)
        case (.promotes(let leaf), _):
            let decision = promoted ?? SyncDecision(SyncFunctionOutcome())
            return try state(leaf, names: decision.channels, grants: grants, expires: decision.expires)
        case (.becomesCurrent, _), (.staysBeside, nil):
            return try state(written, names: written.channels, grants: grants, expires: decision.expires)
        }
    }

    /// The removals whose entries report a deletion of the document.
    private func deletions(of stored: StoredDocument) throws -> Set<DocumentChannels.Removal> {
        try Set(
            stored.channels.past.filter { removal in
                guard removal.isLatest else { return false }
                return try feed.isDeletion(in: removal.channel, at: removal.span.end)
            })
    }

    private func isUnchanged(_ plan: WritePlan) throws -> Bool {
        try transaction.reader.documents.sequence(of: plan.document.id, in: collection) == plan.stored?.sequence
    }

    /// Whether the document is still as it was read.
    func isCurrent(_ stored: StoredDocument) throws -> Bool {
        try transaction.reader.documents.sequence(of: stored.id, in: collection) == stored.sequence
    }

    /// - Returns: the number of the document's row.
    private func save(_ new: DocumentRow, plan: WritePlan) throws -> Int64 {
        guard let number = plan.stored?.number else {
            return try transaction.documents.insert(new, id: plan.document.id, in: collection)
        }
        try transaction.documents.replace(number: number, with: new)
        return number
    }

    // MARK: - The same revision, decided again

    /// Takes over a new decision of the sync function on an unchanged document. If channels or grants change, the
    /// document gets a new sequence, so that clients are notified.
    ///
    /// - Returns: whether anything changed; false also if the document has changed since it was read.
    func settle(
        _ stored: StoredDocument, outcome: SyncFunctionOutcome, expires: Int64?, movesAlways: Bool
    ) throws -> Bool {
        guard try isCurrent(stored) else { return false }
        let names = outcome.documentChannels
        let grants = DocumentGrants(outcome)
        let expires = stored.isDeleted ? nil : expires
        let isSame = Set(stored.channels.current.keys) == names && stored.grants == grants
        guard movesAlways || !isSame || expires != stored.expires else { return false }
        let sequence = transaction.nextSequence()
        var channels = stored.channels
        let entries = channels.update(to: names, at: sequence)
        let new = DocumentRow(
            sequence: sequence, revision: stored.revision, isDeleted: stored.isDeleted, channels: channels,
            tree: stored.tree, expires: expires, grants: grants, attachments: stored.attachments, body: stored.body)
        try transaction.documents.replaceAccess(number: stored.number, with: new)
        try storeEntries(entries, of: stored.number, old: stored.sequence, new: new)
        try grantTable.replaceGrants(
            ofDocument: stored.number, in: collection, from: stored.grants, to: grants, at: sequence)
        return true
    }

    // MARK: - The channels' lists

    private func storeEntries(
        _ changes: DocumentChannels.EntryChanges, of number: Int64, old: UInt64?, new: DocumentRow
    ) throws {
        feed.noteChange(of: Channel.all, at: new.sequence)
        for removal in changes.replacedRemovals { try feed.delete(in: removal.channel, at: removal.span.end) }
        let entry = FeedWrites.Entry(document: number, sequence: new.sequence, removal: nil)
        for channel in changes.entered { try feed.replace(in: channel, at: old, with: entry) }
        let removal = FeedWrites.Entry(
            document: number, sequence: new.sequence,
            removal: FeedWrites.Entry.Removal(revision: new.revision, isDeleted: new.isDeleted))
        for channel in changes.left { try feed.replace(in: channel, at: old, with: removal) }
    }

    // MARK: - Data of a document

    private func storeAttachments(_ plan: WritePlan, new: DocumentRow, document: Int64) throws {
        var kept = new.attachments?.attachmentDigests ?? []
        var old = plan.stored?.attachments?.attachmentDigests ?? []
        if plan.isBranched {
            kept.formUnion(plan.keptBranches().flatMap(\.attachmentDigests))
            if plan.isLeafBeside { kept.formUnion(plan.attachments.metadata?.attachmentDigests ?? []) }
            old.formUnion(plan.branches.flatMap(\.attachmentDigests))
        }
        let content = plan.attachments.content.filter { kept.contains($0.key) }
        let replaced = transaction.replacedAttachments
        try replaced.deleteNow(kept.subtracting(old).subtracting(content.keys), of: document)
        try replaced.insert(
            old.subtracting(kept), of: document, now: now, seconds: setup.configuration.replacedAttachmentSeconds)
        for (digest, content) in content {
            try transaction.attachments.insert(content, digest: digest, of: document)
            try replaced.keep(digest, of: document)
        }
    }

    /// Keeps the content of a replaced revision, within the limits for these.
    func remember(_ revision: StoredRevision, of stored: StoredDocument) throws {
        cache.insert(
            RevisionCache.Key(stored, revision: revision.revision), revision: revision,
            until: now + setup.configuration.deltaSync.rememberedSeconds)
        if keepsReplaced, let seconds = setup.configuration.deltaSync.storedSeconds {
            try transaction.oldRevisions.insert(revision, of: stored.number, until: now + seconds)
        }
    }

    /// Erases a document without a trace, and takes its grants back.
    ///
    /// - Returns: the number of its row; `nil` if it does not exist.
    func purge(_ id: String) throws -> Int64? {
        guard let stored = try transaction.reader.documents.find(id, in: collection) else { return nil }
        for channel in stored.channels.current.keys { try feed.delete(in: channel, at: stored.sequence) }
        for removal in stored.channels.past where removal.isLatest {
            try feed.delete(in: removal.channel, at: removal.span.end)
        }
        if !stored.grants.isEmpty {
            try grantTable.replaceGrants(
                ofDocument: stored.number, in: collection, from: stored.grants, to: DocumentGrants(),
                at: transaction.nextSequence())
        }
        try transaction.attachments.deleteAll(of: stored.number)
        try transaction.oldRevisions.deleteAll(document: stored.number)
        if !stored.tree.isLine { try transaction.branches.deleteAll(document: stored.number) }
        try transaction.documents.delete(number: stored.number)
        return stored.number
    }
}

extension DocumentGrants {
    init(_ outcome: SyncFunctionOutcome) {
        // A grant of `*` by a document is left out, as Sync Gateway does.
        let channels = outcome.access.mapValues { $0.subtracting([Channel.all]) }.filter { !$0.value.isEmpty }
        self.init(channels: channels, roles: outcome.roles.filter { !$0.value.isEmpty })
    }
}
