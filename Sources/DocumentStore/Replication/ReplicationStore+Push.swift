import DocumentValues
import SQLiteStorage

extension ReplicationStore {
    /// Documents after a sequence whose present revision the remote does not know; with `includingKnown` also those
    /// that it is believed to know, since the remote may have lost them.
    package func changes(
        in collection: CollectionName, after sequence: UInt64, limit: Int, documentIDs: Set<Name>? = nil,
        includingKnown: Bool = false
    ) throws -> LocalChangeBatch {
        try read(collection) { reader in
            var scan = ChangeScan(
                remote: remoteID, limit: limit, documentIDs: documentIDs, includesKnown: includingKnown)
            return try scan.run(reader, after: sequence)
        }
    }

    package func lastSequence(in collection: CollectionName) throws -> UInt64 {
        try read(collection) { $0.record.lastSequence }
    }

    /// Whether the collection has neither documents nor tombstones.
    package func isEmpty(_ collection: CollectionName) throws -> Bool { try read(collection) { try $0.isEmpty() } }

    package func revision(of documentID: String, in collection: CollectionName) throws -> LocalRevision? {
        try revisions(of: [documentID], in: collection).first ?? nil
    }

    /// One entry for each id, in their order.
    ///
    /// - Parameter unreadable: called for a document that is damaged, with the position of its id; its entry is `nil`.
    package func revisions(
        of ids: [String], in collection: CollectionName,
        unreadable: (_ index: Int, StoreError) throws -> Void = { throw $1 }
    ) throws -> [LocalRevision?] {
        try read(collection) { reader in
            try ids.enumerated().map { index, id -> LocalRevision? in
                do { return try reader.find(id).map { try localRevision($0, reader) } } catch {
                    try unreadable(index, try StoreError.unreadable(id, because: error))
                    return nil
                }
            }
        }
    }

    private func localRevision(_ document: CollectionDocument, _ reader: CollectionReader) throws -> LocalRevision {
        var local = try document.localRevision(remote: remoteID)
        guard let remote = local.remoteRevision, !local.isKnownToRemote, !local.history.contains(remote) else {
            return local
        }
        local.isInConflict =
            try document.flags.contains(.inConflict)
            && ConflictTable(db: reader.db, collection: reader.record.id).find(local.documentID, remote: remoteID)
                != nil
        if !local.isInConflict {
            local.branch = try EditedContent(stored: local.body, isDeleted: local.isDeleted).revision(over: remote)
        }
        return local
    }

    /// The bodies of live revisions, as far as they are here and can be read: the present revision of a document, the base of
    /// its edits, and the conflicting revision of the remote.
    package func bodies(
        of wanted: [(documentID: String, revision: RevisionID)], in collection: CollectionName
    ) throws -> [[UInt8]?] {
        try read(collection) { reader in
            try wanted.map { id, revision -> [UInt8]? in
                do { return try body(of: id, revision, reader) } catch {
                    // Without it the revision is exchanged whole, and its document reports the damage.
                    _ = try StoreError.unreadable(id, because: error)
                    return nil
                }
            }
        }
    }

    private func body(of id: String, _ revision: RevisionID, _ reader: CollectionReader) throws -> [UInt8]? {
        guard let document = try reader.find(id) else { return nil }
        let revision = document.remotes.local(of: remoteID, as: revision)
        if document.revision == revision { return document.isDeleted ? nil : document.body }
        if let base = try reader.base(of: id), base.revision == revision { return base.body }
        guard document.flags.contains(.inConflict) else { return nil }
        let conflict = try ConflictTable(db: reader.db, collection: reader.record.id).find(id, remote: remoteID)
        return conflict.flatMap { $0.revision == revision && !$0.isDeleted ? $0.body : nil }
    }

    /// Forgets quarantined edits that were being sent when their document was purged, and that have arrived: no person
    /// has to decide about them.
    private func forgetArrived(
        _ revision: RevisionID, of id: String, in collection: CollectionName, _ transaction: WriteTransaction
    ) throws {
        let quarantine = QuarantineTable(transaction.db, sealer: core.blobs.sealer)
        for kept in try quarantine.all(of: id, in: collection) where kept.revision == revision {
            transaction.releasedBlobs.formUnion(try quarantine.remove(kept.id))
            transaction.hasPurged = true
        }
    }

    /// The remote has acknowledged these revisions, or said that it has them; clears them from the outbox. Of a document that
    /// is damaged nothing is noted: it reports that when it is exchanged.
    package func markKnownToRemote(
        _ revisions: [AcknowledgedRevision], in collection: CollectionName
    ) throws {
        guard !revisions.isEmpty else { return }
        try core.write(.normal) { transaction in
            let table = try transaction.table(collection)
            for acknowledged in revisions {
                do { try note(acknowledged, in: table, of: collection) } catch {
                    let damage = try StoreError.unreadable(acknowledged.documentID, because: error)
                    LibraryLog.replicator.warning("What the remote has of a document is not noted: \(damage)")
                }
            }
        }
    }

    private func note(
        _ acknowledged: AcknowledgedRevision, in table: DocumentTable, of collection: CollectionName
    ) throws {
        let transaction = table.transaction
        let (id, revision) = (acknowledged.documentID, acknowledged.localRevision ?? acknowledged.revision)
        if acknowledged.localRevision == nil, try table.recordFirst(remote: remoteID, has: revision, of: id) {
            try table.forgetBase(of: id)
            return try transaction.clearOutbox(collection: table.collection, documentID: id)
        }
        guard let document = try table.find(id) else {
            return try forgetArrived(revision, of: id, in: collection, transaction)
        }
        let isAll = document.revision == revision && !document.remotes.hasOthers(than: remoteID)
        let ancestry = isAll ? Ancestry(revision: revision, history: RevisionHistory()) : try document.ancestry
        guard ancestry.contains(revision) else {
            return try RemoteAncestors.recordReplaced(
                revision, as: acknowledged.revision, of: document, remote: remoteID, table)
        }
        try RemoteAncestors.record(
            revision, as: acknowledged.revision, in: ancestry, of: document, remote: remoteID, table)
        guard revision == document.revision else { return }
        try table.forgetBase(of: id)
        try transaction.clearOutbox(collection: table.collection, documentID: id)
    }
}

/// Looks through a collection's rows for those that a remote does not have.
private struct ChangeScan {
    let remote: Int64
    let limit: Int
    let documentIDs: Set<Name>?
    let includesKnown: Bool
    private let now = StoreInstant.now.seconds
    private var changes: [LocalChange] = []
    private var unreadable: [UnreadableDocument] = []

    init(remote: Int64, limit: Int, documentIDs: Set<Name>?, includesKnown: Bool) {
        self.includesKnown = includesKnown
        self.remote = remote
        self.limit = limit
        self.documentIDs = documentIDs
    }

    mutating func run(_ reader: CollectionReader, after sequence: UInt64) throws -> LocalChangeBatch {
        // The body is last and is only measured for rows that are wanted: SQLite then need not read it.
        let rows = try RawStatement(
            """
            SELECT sequence, id, revision, remotes, flags, expiration, body FROM documents_\(reader.record.id)
            WHERE sequence > ?1 ORDER BY sequence
            """, reader.db)
        defer { rows.reset() }
        rows.bind(1, to: Int64(clamping: sequence))
        var through = sequence
        while changes.count + unreadable.count < limit {
            guard try rows.step() else {
                // Sequences above the last row were those of documents that have changed again or are gone.
                let end = max(sequence, reader.record.lastSequence)
                return batch(through: end, isCaughtUp: true)
            }
            through = rows.natural(0)
            do {
                if let change = try change(rows) { changes.append(change) }
            } catch {
                let id = rows.text(1)
                let reason = try StoreError.unreadable(id, because: error).description
                unreadable.append(UnreadableDocument(sequence: through, documentID: id, reason: reason))
            }
        }
        return batch(through: through, isCaughtUp: false)
    }

    private func batch(through: UInt64, isCaughtUp: Bool) -> LocalChangeBatch {
        LocalChangeBatch(changes: changes, unreadable: unreadable, through: through, isCaughtUp: isCaughtUp)
    }

    private func change(_ row: RawStatement) throws -> LocalChange? {
        let revision = row.text(2)
        let known = row.text(3)
        // The fast way for freshly pulled rows, of which there may be a million.
        if !includesKnown, known.hasExactSuffix(revision), known.isExactly("\(remote)=\(revision)") { return nil }
        let remotes = RemoteRevisions(parsing: known)
        if !includesKnown, let known = remotes.local(of: remote), known.description.isExactly(revision) { return nil }
        if let documentIDs, !documentIDs.contains(Name(row.text(1))) { return nil }
        if let expiration = row.double(5), expiration <= now { return nil }
        return try LocalChange(row, remoteRevision: remotes[remote])
    }
}
