import DocumentValues

/// Puts revisions of a remote into a collection's table, each where its history says it belongs.
struct RevisionInserter {
    let table: DocumentTable
    let remote: Int64
    let blobs: any BlobStorage
    /// Whether it is a conflict if the remote sends a revision that does not descend from the one that it had.
    var keepsLost = false
    /// Whether attachments that are not here come later, or on request.
    var mayLackBlobs = false

    private var transaction: WriteTransaction { table.transaction }
    private var conflicts: ConflictTable { ConflictTable(db: transaction.db, collection: table.collection) }

    func insert(_ pulled: PulledRevision) throws -> InsertOutcome<StoreError> {
        try insert(pulled, mayRename: true)
    }

    /// - Parameter mayRename: whether a revision that brings no new content need not be stored.
    private func insert(_ pulled: PulledRevision, mayRename: Bool) throws -> InsertOutcome<StoreError> {
        if let problem = try problem(with: pulled) { return problem }
        guard let local = try table.findPresent(pulled.documentID) else {
            try store(pulled, history: pulled.history, over: nil)
            return .inserted
        }
        let (ancestry, conflict) = (try local.ancestry, try existingConflict(local))
        if isOther(pulled, than: local) {
            guard conflict?.revision != pulled.revision else { return .alreadyThere }
            try storeConflict(pulled, history: pulled.history.completed(by: [ancestry]), local: local)
            return .conflict
        }
        if ancestry.contains(pulled.revision) {
            try RemoteAncestors.record(pulled.revision, in: ancestry, of: local, remote: remote, table)
            return .alreadyThere
        }
        if conflict?.revision == pulled.revision || local.remotes[remote] == pulled.revision { return .alreadyThere }
        if mayRename, local.remotes.hasOthers(than: remote),
            try RevisionContent(pulled).isSame(as: RevisionContent(local))
        {
            try rename(pulled, local: local, conflict: conflict)
            return .sameContent
        }
        // A remote sends a history only down to a revision that we said we have; the older ones we know ourselves.
        let history = pulled.history.completed(by: [ancestry] + (conflict.map { [$0.ancestry] } ?? []))
        let isFollowed = try history.contains(local.revision) || isGivenUp(local, for: pulled, history: history)
        if isFollowed, !isUnheardDeletion(local, before: pulled) {
            try store(pulled, history: history, over: local)
            try dropConflict(local, conflict: conflict)
            return .inserted
        }
        try storeConflict(pulled, history: history, local: local)
        return .conflict
    }

    /// The same for a revision that is pushed by its author: a conflict is reported to the author, and not stored.
    func accept(_ pushed: PulledRevision) throws -> InsertOutcome<StoreError> {
        if let local = try table.findPresent(pushed.documentID) {
            guard !isOther(pushed, than: local) else { return .conflict }
            let ancestry = try local.ancestry
            let isKnown = ancestry.contains(pushed.revision)
            let descends = pushed.history.completed(by: [ancestry]).contains(local.revision)
            let revives = local.isDeleted && !pushed.isDeleted
            guard isKnown || descends || revives else { return .conflict }
            if !isKnown, !descends { return try revive(local, as: pushed) }
        }
        // The author goes on from the revision that was pushed.
        return try insert(pushed, mayRename: false)
    }

    /// A client that did not know of the deletion has made the document again.
    private func revive(_ local: CollectionDocument, as pushed: PulledRevision) throws -> InsertOutcome<StoreError> {
        if let problem = try problem(with: pushed) { return problem }
        let conflict = try existingConflict(local)
        try store(pushed, history: pushed.history, over: local)
        try dropConflict(local, conflict: conflict)
        return .inserted
    }

    /// Whether the remote's revision replaces the local one although it does not descend from it. Without a local edit since
    /// the last exchange nothing is lost. The exception is a remote that was set back to an older revision and went on from
    /// there (`keepsLost`): then the local revision is one that the remote has lost. The exception does not count where one
    /// of the two is a deletion.
    private func isGivenUp(
        _ local: CollectionDocument, for pulled: PulledRevision, history: RevisionHistory
    ) throws -> Bool {
        guard let had = local.remotes[remote], local.remotes.local(of: remote) == local.revision else { return false }
        guard keepsLost, !local.isDeleted, !pulled.isDeleted, !history.contains(had) else { return true }
        return ([pulled.revision] + history.ancestors).allSatisfy { $0.mayDescend(from: local.revision) }
    }

    /// Whether the remote's revision is live and has the id of the deletion that is here: it must not count as known.
    private func isOther(_ pulled: PulledRevision, than local: CollectionDocument) -> Bool {
        !pulled.isDeleted && local.isDeletion(under: pulled.revision)
    }

    /// Whether a revision goes on from a deletion that the remote cannot have got from here. It may be another deletion
    /// with the same id: the id does not depend on the author, and a client can name it as an ancestor before there is any
    /// deletion.
    private func isUnheardDeletion(_ local: CollectionDocument, before pulled: PulledRevision) -> Bool {
        keepsLost && local.isDeleted && !pulled.isDeleted && local.remotes.local(of: remote) != local.revision
    }

    // MARK: Checks

    private func problem(with pulled: PulledRevision) throws -> InsertOutcome<StoreError>? {
        guard DocumentIDRules.isAcceptable(pulled.documentID) else {
            return .failed(
                StoreError(
                    .badDocumentID, message: "The remote sent a document under an id that cannot be kept here.",
                    context: ["document": pulled.documentID.withControlsEscaped]))
        }
        if let error = StoreError.tooLarge(pulled.body.bytes, documentID: pulled.documentID) { return .failed(error) }
        guard !mayLackBlobs else { return nil }
        for digest in pulled.body.digests where try !blobs.contains(digest) {
            return .missingBlob(StoreError.missingBlob(digest, documentID: pulled.documentID))
        }
        return nil
    }

    // MARK: Storing

    private func store(_ pulled: PulledRevision, history: RevisionHistory, over old: CollectionDocument?) throws {
        var remotes = old?.remotes ?? RemoteRevisions()
        remotes.set(pulled.revision, of: remote)
        let document = CollectionDocument(
            sequence: 0, id: pulled.documentID, revision: pulled.revision,
            historyText: history.trimmed(keeping: remotes).description, remotes: remotes,
            flags: pulled.isDeleted ? .deleted : [], timestamp: transaction.now.nanoseconds,
            expiration: old?.expiration, body: pulled.body.bytes)
        _ = try table.put(document, naming: pulled.body.digests, replacing: old)
        if old != nil { try table.forgetBase(of: pulled.documentID) }
    }

    /// The remote has the local content under an id of its own. If that became a new revision here, it would be pushed
    /// to the other remotes, pulled by other folders, pushed again, and so on without an end.
    private func rename(_ pulled: PulledRevision, local: CollectionDocument, conflict: StoredConflict?) throws {
        var remotes = local.remotes
        remotes.set(pulled.revision, of: remote, sameAs: local.revision)
        try table.setRemotes(remotes, of: local)
        try transaction.clearOutbox(collection: table.collection, documentID: local.id, remote: remote)
        guard conflict != nil else { return }
        try conflicts.remove(local.id, remote: remote)
        if try !conflicts.isAny(local.id) { try table.setFlags(local.flags.subtracting(.inConflict), of: local) }
    }

    private func storeConflict(_ pulled: PulledRevision, history: RevisionHistory, local: CollectionDocument) throws {
        try conflicts.put(
            StoredConflict(
                documentID: pulled.documentID, remote: remote, revision: pulled.revision, history: history,
                isDeleted: pulled.isDeleted, body: pulled.body.bytes), naming: pulled.body.digests)
        var remotes = local.remotes
        remotes.set(pulled.revision, of: remote)
        try table.setRemotes(remotes, of: local)
        try table.setFlags(local.flags.union(.inConflict), of: local)
    }

    private func existingConflict(_ local: CollectionDocument) throws -> StoredConflict? {
        guard local.flags.contains(.inConflict) else { return nil }
        return try conflicts.find(local.id, remote: remote)
    }

    /// `store` has already cleared the mark in the row; another remote's conflict stays and is marked again.
    private func dropConflict(_ local: CollectionDocument, conflict: StoredConflict?) throws {
        guard local.flags.contains(.inConflict) else { return }
        if conflict != nil { try conflicts.remove(local.id, remote: remote) }
        guard try conflicts.isAny(local.id), let present = try table.find(local.id) else { return }
        try table.setFlags(present.flags.union(.inConflict), of: present)
    }
}

extension StoreError {
    static func missingBlob(_ digest: BlobDigest, documentID: String) -> StoreError {
        StoreError(
            .missingBlob, message: "The document refers to an attachment that is not here.",
            context: ["document": documentID, "blob": digest.text],
            hint: "It is fetched again with the document's next revision.")
    }
}
