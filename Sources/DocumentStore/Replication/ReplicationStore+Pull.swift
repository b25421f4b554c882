import DocumentValues

extension ReplicationStore {
    /// The answers to announced rows; for rows that are here already, notes that the remote has them. A document that is
    /// damaged here has an answer of its own, and the others have theirs.
    ///
    /// - Parameter mayLackBlobs: whether a document that is here counts as here without its attachments.
    package func decide(
        _ rows: [AnnouncedRevision], in collection: CollectionName, mayLackBlobs: Bool = false
    ) throws -> [RowDecision] {
        var news: [AcknowledgedRevision] = []
        let decisions = try read(collection) { reader in
            let refused = try OutboxTable.documentIDs(collection: reader.record.id, remote: remoteID, reader.db)
            return try rows.map { row -> RowDecision in
                do {
                    return try decide(
                        row, isRefused: refused.contains(Name(row.documentID)), mayLackBlobs: mayLackBlobs,
                        reader: reader
                    ) {
                        news.append(AcknowledgedRevision(documentID: row.documentID, revision: row.revision))
                    }
                } catch {
                    return .unreadable(reason: try StoreError.unreadable(row.documentID, because: error).description)
                }
            }
        }
        try markKnownToRemote(news, in: collection)
        return decisions
    }

    private func decide(
        _ row: AnnouncedRevision, isRefused: Bool, mayLackBlobs: Bool, reader: CollectionReader, isNews: () -> Void
    ) throws -> RowDecision {
        guard let document = try reader.find(row.documentID) else { return .wanted(ancestors: []) }
        // The remote has the revision although it refused it from here: another client has sent it.
        if isRefused, document.revision == row.revision, !row.isOther(than: document) { isNews() }
        let (revision, ancestry) = (row.revision, try document.ancestry)
        if !row.isOther(than: document) {
            if ancestry.contains(revision) {
                if RemoteAncestors.isNews(revision, in: ancestry, of: document, remote: remoteID) { isNews() }
                return try !mayLackBlobs && lacksBlobs(document) ? .wanted(ancestors: []) : .have
            }
            // Its branch lost against another remote's; the winning revision is yet to be pushed to this one.
            if document.remotes[remoteID] == revision { return .have }
        }
        var known = ancestry
        if document.flags.contains(.inConflict) {
            let conflicts = ConflictTable(db: reader.db, collection: reader.record.id)
            if let conflict = try conflicts.find(row.documentID, remote: remoteID) {
                if conflict.revision == revision { return .have }
                known = conflict.ancestry
            }
        }
        // The revisions that the remote most likely has come first.
        return .wanted(
            ancestors: known.bases(
                of: revision, from: document.remotes[remoteID], limit: StoreLimits.offeredAncestors))
    }

    /// Whether files of its blobs were lost or cut off on this disk. The revision is sent once more then, for its blobs
    /// come with it.
    private func lacksBlobs(_ document: CollectionDocument) throws -> Bool {
        try !document.isDeleted && DocumentBody(scanned: document.body).named.contains { try !core.blobs.isWhole($0) }
    }

    /// Stores pulled revisions in one transaction; if one cannot be stored, the others still are.
    ///
    /// - Parameters:
    ///   - keepsLost: whether a revision that the remote had is in conflict with one that does not descend from it.
    ///   - mayLackBlobs: whether revisions are stored whose attachments are not here.
    package func insert(
        _ batch: [PulledRevision], in collection: CollectionName, keepsLost: Bool = false, mayLackBlobs: Bool = false
    ) throws -> [InsertOutcome<StoreError>] {
        guard !batch.isEmpty else { return [] }
        return try core.write(.normal) { transaction in
            var inserter = RevisionInserter(
                table: try transaction.table(collection), remote: remoteID, blobs: core.blobs)
            inserter.keepsLost = keepsLost
            inserter.mayLackBlobs = mayLackBlobs
            return try Self.outcomes(of: batch, by: inserter.insert)
        }
    }

    /// A document that is damaged here fails alone. Everything of it that could be damaged is read before it is changed.
    private static func outcomes(
        of batch: [PulledRevision], by insert: (PulledRevision) throws -> InsertOutcome<StoreError>
    ) throws -> [InsertOutcome<StoreError>] {
        try batch.map { pulled -> InsertOutcome<StoreError> in
            do { return try insert(pulled) } catch {
                return .failed(try StoreError.unreadable(pulled.documentID, because: error))
            }
        }
    }

    /// Takes revisions that another database pushes, in one transaction: a revision that descends from the present one
    /// is stored; any other is a conflict, which the other side has to settle.
    package func accept(_ batch: [PulledRevision], in collection: CollectionName) throws -> [InsertOutcome<StoreError>]
    {
        guard !batch.isEmpty else { return [] }
        return try core.write(.normal) { transaction in
            let inserter = RevisionInserter(
                table: try transaction.table(collection), remote: remoteID, blobs: core.blobs)
            return try Self.outcomes(of: batch, by: inserter.accept)
        }
    }

    /// Forgets documents, with their history, conflicts and blobs that nothing else refers to; returns those that
    /// were there. With `quarantine`, edits that the remote never got are quarantined first.
    ///
    /// - Parameters:
    ///   - revisionOfOld: for edits that were sent and then lost because the remote was set back: the older revision that the
    ///     remote has now, so that the edits are quarantined; otherwise `nil`.
    ///   - unreadable: called for a document that is damaged, so that such edits may be in it: it stays here.
    ///     May be called twice for it.
    package func purge(
        _ ids: [String], in collection: CollectionName, quarantine: Bool, reason: String = "",
        revisionOfOld: (LocalRevision) throws -> RevisionID? = { _ in nil },
        unreadable: (_ id: String, StoreError) throws -> Void = { throw $1 }
    ) throws -> [String] {
        var kept: [String] = []
        let purged = try core.writeMakingRoom(.full) { transaction in
            // The transaction may run twice.
            kept = []
            let table = try transaction.table(collection)
            return try ids.filter { id -> Bool in
                let lost: LostWork
                do {
                    guard let found = try lostWork(of: id, in: table, quarantine: quarantine, revisionOfOld) else {
                        return false
                    }
                    lost = found
                } catch {
                    try unreadable(id, try StoreError.unreadable(id, because: error))
                    return false
                }
                if let base = lost.base {
                    try QuarantineTable(transaction.db, sealer: core.blobs.sealer).keep(
                        lost.document, of: table.record, over: base.revision, baseBody: base.body, remote: remote,
                        reason: reason)
                    kept.append(id)
                }
                try table.purge(lost.document)
                return true
            }
        }
        Self.report(kept, of: collection, reason: reason)
        return purged
    }

    /// A document that is to be purged, and what its edits that have to be quarantined started from; without such edits
    /// `nil`.
    private typealias LostWork = (document: CollectionDocument, base: (revision: RevisionID?, body: [UInt8]?)?)

    /// Reads what a purge needs, and changes nothing.
    private func lostWork(
        of id: String, in table: DocumentTable, quarantine: Bool,
        _ revisionOfOld: (LocalRevision) throws -> RevisionID?
    ) throws -> LostWork? {
        guard let document = try table.find(id) else { return nil }
        return (document, quarantine ? try baseOfWork(in: document, of: table, revisionOfOld) : nil)
    }

    /// This is the only case in which a user's edits leave their document without an action of the user.
    private static func report(_ kept: [String], of collection: CollectionName, reason: String) {
        for id in kept.prefix(StoreLimits.loggedQuarantine) {
            let name = id.shortened(toScalars: StoreLimits.shownContext).withControlsEscaped
            LibraryLog.replicator.warning("Edits moved to the quarantine: '\(name)' in \(collection): \(reason)")
        }
        let others = kept.count - StoreLimits.loggedQuarantine
        if others > 0 {
            LibraryLog.replicator.warning("Edits of \(others) more documents moved to the quarantine, in \(collection)")
        }
    }

    /// The revision from which the edits started, as far as the remote is known to have it; `nil` where the remote has
    /// all edits.
    private func baseOfWork(
        in document: CollectionDocument, of table: DocumentTable, _ revisionOfOld: (LocalRevision) throws -> RevisionID?
    ) throws -> (revision: RevisionID?, body: [UInt8]?)? {
        let local = document.remotes.local(of: remoteID)
        guard local == document.revision else {
            let known = try CollectionReader(db: table.db, record: table.record).base(of: document.id)
            let base = document.remotes[remoteID]
            return (base == local ? base : nil, known.flatMap { $0.revision == local ? $0.body : nil })
        }
        let sent = try document.localRevision(remote: remoteID)
        guard !document.isDeleted, let old = try revisionOfOld(sent) else { return nil }
        return (sent.history.contains(old) ? old : nil, nil)
    }
}

extension AnnouncedRevision {
    /// Whether the remote has a live revision under the id of the deletion that is here.
    fileprivate func isOther(than document: CollectionDocument) -> Bool {
        !isDeleted && document.isDeletion(under: revision)
    }
}
