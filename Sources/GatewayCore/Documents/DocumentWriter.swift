import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage
import SyncFunction

/// Stores planned writes inside a transaction.
struct DocumentWriter {
    let transaction: WriteTransaction
    let setup: DatabaseSetup
    let collection: Int64
    let cache: RevisionCache
    /// Seconds since 1970.
    let now: Int64
    var db: Database { transaction.db }

    init(
        _ transaction: WriteTransaction, setup: DatabaseSetup, collection: Int64, cache: RevisionCache, now: Int64
    ) {
        self.transaction = transaction
        self.setup = setup
        self.collection = collection
        self.cache = cache
        self.now = now
    }

    /// What the row of a document becomes.
    private struct NewState {
        let sequence: UInt64
        let revision: RevisionID
        let isDeleted: Bool
        let channels: DocumentChannels
        let grants: DocumentGrants
        let expires: Int64?
        let attachments: JSONObject?
        let body: [UInt8]
    }

    /// - Parameter promoted: of the leaf that takes the current revision's place, where one does.
    /// - Returns: `nil` if the document is not what it was when the write was planned.
    func store(_ plan: WritePlan, _ decision: SyncDecision, promoted: SyncDecision? = nil) throws -> WriteOutcome? {
        guard try isUnchanged(plan) else { return nil }
        let sequence = transaction.nextSequence()
        let (new, entries) = try newState(plan, decision, promoted, at: sequence)
        let number = try save(new, plan)
        try storeEntries(entries, of: number, old: plan.stored?.sequence, new)
        try storeAttachments(plan, new, document: number)
        try GrantTable(transaction, collections: setup.names).replaceGrants(
            ofDocument: number, in: collection, from: plan.stored?.grants ?? DocumentGrants(), to: new.grants,
            at: sequence)
        if plan.isBranched { try storeBranches(plan, decision, at: sequence, of: number) }
        if let stored = plan.stored, !plan.tree.isLeaf(stored.revision) { try remember(stored.current, of: stored) }
        return WriteOutcome(id: plan.document.id, revision: plan.revision, sequence: sequence)
    }

    /// Why the document cannot be stored, which only the transaction knows: somebody would be granted too much by all
    /// documents together. A write that was planned over another revision is planned again instead.
    func refusal(of plan: WritePlan, _ decision: SyncDecision, promoted: SyncDecision?) throws -> GatewayError? {
        let grants = grants(after: plan, decision, promoted)
        guard !grants.isEmpty, try isUnchanged(plan) else { return nil }
        return try GrantTable(transaction, collections: setup.names).excess(
            of: grants, over: plan.stored?.grants ?? DocumentGrants())
    }

    /// The same of a document that stays as it is, by what a sync function decides of it now.
    func excess(of outcome: SyncFunctionOutcome, over stored: StoredDocument) throws -> GatewayError? {
        let grants = DocumentGrants(outcome)
        guard !grants.isEmpty else { return nil }
        return try GrantTable(transaction, collections: setup.names).excess(of: grants, over: stored.grants)
    }

    /// What the document grants after the write, by the leaf that is current then.
    private func grants(after plan: WritePlan, _ decision: SyncDecision, _ promoted: SyncDecision?) -> DocumentGrants {
        switch (plan.effect, plan.stored) {
        case (.staysBeside, let stored?): stored.grants
        case (.promotes, _): promoted.map { DocumentGrants($0.outcome) } ?? DocumentGrants()
        case (.becomesCurrent, _), (.staysBeside, nil): DocumentGrants(decision.outcome)
        }
    }

    /// The row of the leaf that is current after the write.
    private func newState(
        _ plan: WritePlan, _ decision: SyncDecision, _ promoted: SyncDecision?, at sequence: UInt64
    ) throws -> (NewState, DocumentChannels.EntryChanges) {
        var channels = plan.stored?.channels ?? DocumentChannels()
        func state(
            _ leaf: StoredRevision, _ names: Set<Name>, _ grants: DocumentGrants, _ expires: Int64?
        ) throws -> (NewState, DocumentChannels.EntryChanges) {
            var entries = channels.update(to: names, at: sequence)
            if leaf.isDeleted, let stored = plan.stored, leaf.revision != stored.revision {
                channels.move(try deletions(of: stored), to: sequence, in: &entries)
            }
            let new = NewState(
                sequence: sequence, revision: leaf.revision, isDeleted: leaf.isDeleted, channels: channels,
                grants: grants, expires: leaf.isDeleted ? nil : expires, attachments: leaf.attachments,
                body: leaf.body)
            return (new, entries)
        }
        let written = plan.content(decision, at: sequence)
        let grants = grants(after: plan, decision, promoted)
        switch (plan.effect, plan.stored) {
        case (.staysBeside, let stored?):
            return try state(stored.current, Set(stored.channels.current.keys), grants, stored.expires)
        case (.promotes(let leaf), _):
            let decision = promoted ?? SyncDecision(SyncFunctionOutcome())
            return try state(leaf, decision.channels, grants, decision.expires)
        case (.becomesCurrent, _), (.staysBeside, nil):
            return try state(written, written.channels, grants, decision.expires)
        }
    }

    /// The removals whose entries say that the document was deleted.
    private func deletions(of stored: StoredDocument) throws -> Set<DocumentChannels.Removal> {
        try Set(
            stored.channels.past.filter { removal in
                guard removal.isLatest else { return false }
                let statement = try RawStatement(
                    "SELECT is_deleted FROM entries WHERE channel = ? AND sequence = ?", db)
                statement.bind(1, try channelNumber(removal.channel))
                statement.bind(2, removal.span.end)
                return try statement.first { $0.bool(0) } ?? false
            })
    }

    private func isUnchanged(_ plan: WritePlan) throws -> Bool {
        try sequence(of: plan.document.id) == plan.stored?.sequence
    }

    /// Whether the document is still as it was read.
    func isCurrent(_ stored: StoredDocument) throws -> Bool { try sequence(of: stored.id) == stored.sequence }

    private func sequence(of id: String) throws -> UInt64? {
        let statement = try RawStatement("SELECT sequence FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, collection)
        statement.bind(2, id)
        return try statement.first { $0.uint64(0) }
    }

    private func save(_ new: NewState, _ plan: WritePlan) throws -> Int64 {
        let statement: RawStatement
        if let stored = plan.stored {
            statement = try RawStatement(
                """
                UPDATE documents SET sequence = ?1, revision = ?2, is_deleted = ?3, channels = ?4, tree = ?5,
                expires = ?6, grants = ?7, attachments = ?8, body = ?9 WHERE number = ?10
                """, db)
            statement.bind(10, stored.number)
        } else {
            statement = try RawStatement(
                """
                INSERT INTO documents
                (sequence, revision, is_deleted, channels, tree, expires, grants, attachments, body, collection, id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                """, db)
            statement.bind(10, collection)
            statement.bind(11, plan.document.id)
        }
        statement.bind(1, new.sequence)
        statement.bind(2, new.revision.description)
        statement.bind(3, new.isDeleted)
        statement.bind(4, new.channels.text)
        statement.bind(5, plan.tree.text)
        statement.bind(6, new.expires)
        statement.bind(7, new.grants.isEmpty ? nil : new.grants.text)
        statement.bind(8, new.attachments?.description)
        statement.bindBlob(9, new.body)
        try statement.run()
        return plan.stored?.number ?? db.lastInsertedRowID
    }

    // MARK: - The same revision, decided again

    /// Takes over what a sync function decides now of a document as it is. Whatever changes gets a new sequence, by
    /// which clients hear of it.
    ///
    /// - Returns: whether anything changed; false also for a document that is not what it was when it was read.
    func settle(
        _ stored: StoredDocument, _ outcome: SyncFunctionOutcome, expires: Int64?, movesAlways: Bool
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
        let new = NewState(
            sequence: sequence, revision: stored.revision, isDeleted: stored.isDeleted, channels: channels,
            grants: grants, expires: expires, attachments: stored.attachments, body: stored.body)
        try saveAccess(new, of: stored.number)
        try storeEntries(entries, of: stored.number, old: stored.sequence, new)
        try GrantTable(transaction, collections: setup.names).replaceGrants(
            ofDocument: stored.number, in: collection, from: stored.grants, to: grants, at: sequence)
        return true
    }

    private func saveAccess(_ new: NewState, of number: Int64) throws {
        let statement = try RawStatement(
            "UPDATE documents SET sequence = ?, channels = ?, grants = ?, expires = ? WHERE number = ?", db)
        statement.bind(1, new.sequence)
        statement.bind(2, new.channels.text)
        statement.bind(3, new.grants.isEmpty ? nil : new.grants.text)
        statement.bind(4, new.expires)
        statement.bind(5, number)
        try statement.run()
    }

    // MARK: - The channels' lists

    private func storeEntries(
        _ changes: DocumentChannels.EntryChanges, of number: Int64, old: UInt64?, _ new: NewState
    ) throws {
        touch(Channel.all, new.sequence)
        for removal in changes.replacedRemovals {
            try deleteEntry(in: try channelNumber(removal.channel), at: removal.span.end)
        }
        for channel in changes.entered {
            try replaceEntry(in: channel, of: number, old: old, new, isRemoval: false)
        }
        for channel in changes.left {
            try replaceEntry(in: channel, of: number, old: old, new, isRemoval: true)
        }
    }

    private func replaceEntry(
        in channel: Name, of document: Int64, old: UInt64?, _ new: NewState, isRemoval: Bool
    ) throws {
        let number = try channelNumber(channel)
        if let old { try deleteEntry(in: number, at: old) }
        let statement = try RawStatement("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", db)
        statement.bind(1, number)
        statement.bind(2, new.sequence)
        statement.bind(3, document)
        statement.bind(4, isRemoval ? new.revision.description : nil)
        statement.bind(5, isRemoval && new.isDeleted)
        try statement.run()
        touch(channel, new.sequence)
    }

    private func deleteEntry(in channel: Int64, at sequence: UInt64) throws {
        let statement = try RawStatement("DELETE FROM entries WHERE channel = ? AND sequence = ?", db)
        statement.bind(1, channel)
        statement.bind(2, sequence)
        try statement.run()
    }

    private func channelNumber(_ channel: Name) throws -> Int64 {
        try ChannelNumbers.number(making: ChannelKey(collection: collection, channel: channel), db)
    }

    private func touch(_ channel: Name, _ sequence: UInt64) {
        transaction.effects.channels[ChannelKey(collection: collection, channel: channel)] = sequence
    }

    // MARK: - What goes with a document

    private func storeAttachments(_ plan: WritePlan, _ new: NewState, document: Int64) throws {
        var kept = new.attachments?.attachmentDigests ?? []
        var old = plan.stored?.attachments?.attachmentDigests ?? []
        if plan.isBranched {
            kept.formUnion(plan.keptBranches().flatMap(\.attachmentDigests))
            if plan.isLeafBeside { kept.formUnion(plan.attachments.metadata?.attachmentDigests ?? []) }
            old.formUnion(plan.branches.flatMap(\.attachmentDigests))
        }
        let content = plan.attachments.content.filter { kept.contains($0.key) }
        try ReplacedAttachments.deleteNow(
            kept.subtracting(old).subtracting(content.keys), document: document, db)
        try ReplacedAttachments.add(
            old.subtracting(kept), document: document, now: now,
            seconds: setup.configuration.replacedAttachmentSeconds, db)
        for (digest, content) in content {
            try AttachmentStore.insert(digest, content, document: document, db)
            try ReplacedAttachments.keep(digest, document: document, db)
        }
    }

    /// Keeps, under the limits for these, what a revision held that was replaced.
    func remember(_ revision: StoredRevision, of stored: StoredDocument) throws {
        cache.insert(
            RevisionCache.Key(stored, revision.revision), revision,
            until: setup.configuration.deltaSync.rememberedSeconds.map { now + $0 })
        if let seconds = setup.configuration.deltaSync.storedSeconds {
            try OldRevisions.insert(revision, of: stored.number, until: now + seconds, db)
        }
    }

    /// Erases a document without a trace; what it granted is taken back.
    ///
    /// - Returns: the number of its row; `nil` if it is not there.
    func purge(_ id: String) throws -> Int64? {
        guard let stored = try StoredDocument.fetch(id, in: collection, db) else { return nil }
        for channel in stored.channels.current.keys { try deleteEntry(in: channelNumber(channel), at: stored.sequence) }
        for removal in stored.channels.past where removal.isLatest {
            try deleteEntry(in: channelNumber(removal.channel), at: removal.span.end)
        }
        if !stored.grants.isEmpty {
            try GrantTable(transaction, collections: setup.names).replaceGrants(
                ofDocument: stored.number, in: collection, from: stored.grants, to: DocumentGrants(),
                at: transaction.nextSequence())
        }
        try AttachmentStore.deleteAll(document: stored.number, db)
        try ReplacedAttachments.deleteAll(document: stored.number, db)
        try OldRevisions.deleteAll(document: stored.number, db)
        if !stored.tree.isLine { try Branches.deleteAll(document: stored.number, db) }
        let statement = try RawStatement("DELETE FROM documents WHERE number = ?", db)
        statement.bind(1, stored.number)
        try statement.run()
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
