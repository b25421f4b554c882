import DocumentValues

extension ReplicationStore {
    /// What to answer to announced rows; for rows that are here already, records that the remote has them.
    package func decide(_ rows: [AnnouncedRevision], in collection: CollectionName) throws -> [RowDecision] {
        var news: [AcknowledgedRevision] = []
        let decisions = try read(collection) { reader in
            let refused = try Outbox.documentIDs(collection: reader.record.id, remote: remoteID, reader.db)
            return try rows.map { row in
                // Somebody else has sent what was refused here.
                if refused.contains(Name(row.documentID)), let document = try reader.find(row.documentID),
                    document.revision == row.revision, !row.isOther(than: document)
                {
                    news.append(AcknowledgedRevision(documentID: row.documentID, revision: row.revision))
                }
                return try decide(row, reader: reader) {
                    news.append(AcknowledgedRevision(documentID: row.documentID, revision: row.revision))
                }
            }
        }
        try markKnownToRemote(news, in: collection)
        return decisions
    }

    private func decide(_ row: AnnouncedRevision, reader: CollectionReader, isNews: () -> Void) throws -> RowDecision {
        guard let document = try reader.find(row.documentID) else { return .wanted(ancestors: []) }
        let (revision, ancestry) = (row.revision, try document.ancestry)
        if !row.isOther(than: document) {
            if ancestry.contains(revision) {
                if RemoteAncestors.isNews(revision, in: ancestry, of: document, remote: remoteID) { isNews() }
                return try lacksBlobs(document) ? .wanted(ancestors: []) : .have
            }
            // Its branch lost against another remote's; what won is on its way there.
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
    private func lacksBlobs(_ document: StoredDocument) throws -> Bool {
        try !document.isDeleted && DocumentBody(scanned: document.body).named.contains { try !core.blobs.isWhole($0) }
    }

    /// Stores pulled revisions in one transaction; one revision that cannot be stored does not keep out the others.
    ///
    /// - Parameter keepsLost: whether a revision that the remote had is in conflict with one that does not descend from it.
    package func insert(
        _ batch: [PulledRevision], in collection: CollectionName, keepsLost: Bool = false
    ) throws -> [InsertOutcome<StoreError>] {
        guard !batch.isEmpty else { return [] }
        return try core.write(.normal) { transaction in
            var inserter = RevisionInserter(
                table: try transaction.table(collection), remote: remoteID, blobs: core.blobs)
            inserter.keepsLost = keepsLost
            return try batch.map(inserter.insert)
        }
    }

    /// Takes revisions that another database pushes, in one transaction: what descends from the present revision is
    /// stored, what does not is a conflict, which the other side has to settle.
    package func accept(_ batch: [PulledRevision], in collection: CollectionName) throws -> [InsertOutcome<StoreError>]
    {
        guard !batch.isEmpty else { return [] }
        return try core.write(.normal) { transaction in
            let inserter = RevisionInserter(
                table: try transaction.table(collection), remote: remoteID, blobs: core.blobs)
            return try batch.map(inserter.accept)
        }
    }

    /// Forgets documents, with their history, conflicts and blobs that nothing else refers to; returns those that
    /// were there. With `quarantine`, edits that the remote never got are quarantined first.
    ///
    /// - Parameter revisionOfOld: of what was sent: the older revision that the remote has instead, since it was set back,
    ///   where the work is to be quarantined for that; otherwise `nil`.
    package func purge(
        _ ids: [String], in collection: CollectionName, quarantine: Bool, reason: String = "",
        revisionOfOld: (LocalRevision) throws -> RevisionID? = { _ in nil }
    ) throws -> [String] {
        var kept: [String] = []
        let purged = try core.writeMakingRoom(.full) { transaction in
            // It may be the second try.
            kept = []
            let table = try transaction.table(collection)
            return try ids.filter { id in
                guard let document = try table.find(id) else { return false }
                if quarantine, let base = try baseOfWork(in: document, of: table, revisionOfOld) {
                    try Quarantine(transaction.db, sealer: core.blobs.sealer).keep(
                        document, of: table.record, over: base.revision, baseBody: base.body, remote: remote,
                        reason: reason)
                    kept.append(id)
                }
                try table.purge(document)
                return true
            }
        }
        Self.report(kept, of: collection, reason: reason)
        return purged
    }

    /// It is the one case where somebody's work leaves its document by itself.
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

    /// What the remote has of the document, as far as that is known; `nil` where it has all of it.
    private func baseOfWork(
        in document: StoredDocument, of table: DocumentTable, _ revisionOfOld: (LocalRevision) throws -> RevisionID?
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
    /// Whether the remote has something live under the id of the deletion that is here.
    fileprivate func isOther(than document: StoredDocument) -> Bool {
        !isDeleted && document.isDeletion(under: revision)
    }
}
