import DocumentValues

extension ReplicationStore {
    package func conflicts(in collection: CollectionName) throws -> [DocumentConflict] {
        try read(collection) { reader in
            let conflicts = ConflictTable(db: reader.db, collection: reader.record.id)
            return try conflicts.all(remote: remoteID).compactMap { try documentConflict($0, reader) }
        }
    }

    /// Ids of the documents that are in conflict. Nothing else of them is read, so that one that is damaged fails alone.
    package func conflictingDocuments(in collection: CollectionName) throws -> [String] {
        try read(collection) { reader in
            try ConflictTable(db: reader.db, collection: reader.record.id).documentIDs(remote: remoteID)
        }
    }

    package func conflict(of documentID: String, in collection: CollectionName) throws -> DocumentConflict? {
        try read(collection) { reader in
            let conflicts = ConflictTable(db: reader.db, collection: reader.record.id)
            return try conflicts.find(documentID, remote: remoteID).flatMap { try documentConflict($0, reader) }
        }
    }

    private func documentConflict(_ conflict: StoredConflict, _ reader: CollectionReader) throws -> DocumentConflict? {
        guard let document = try reader.find(conflict.documentID) else { return nil }
        let base = try reader.base(of: conflict.documentID)
        let isShown = base.map { conflict.history.contains($0.revision) } ?? false
        let isBaseDoubtful = !isShown && base.map { conflict.history.isCut(before: $0.revision) } ?? false
        return DocumentConflict(
            documentID: conflict.documentID, local: try document.localRevision(remote: remoteID),
            remote: LocalRevision(
                documentID: conflict.documentID, revision: conflict.revision, history: conflict.history,
                isDeleted: conflict.isDeleted, body: conflict.body, sequence: 0, remoteRevision: conflict.revision,
                hasBlobs: try !DocumentBody(scanned: conflict.body).named.isEmpty),
            base: isShown || isBaseDoubtful ? base?.body : nil, isBaseDoubtful: isBaseDoubtful)
    }

    /// Ends several conflicts in one transaction, since each transaction waits for the disk. If one cannot be stored, none
    /// is.
    ///
    /// - Returns: for each conflict, the result of `resolve(_:in:with:)`.
    package func resolve(_ decided: [DecidedConflict], in collection: CollectionName) throws -> [Bool] {
        try core.write(.full) { _ in
            try decided.map { try resolve($0.conflict, in: collection, with: $0.resolution) }
        }
    }

    /// Ends a conflict; false if one side changed since `conflict` was read: read it again and ask the resolver again.
    package func resolve(
        _ conflict: DocumentConflict, in collection: CollectionName, with resolution: ConflictResolution
    ) throws -> Bool {
        try core.write(.full) { transaction in
            let table = try transaction.table(collection)
            let conflicts = ConflictTable(db: transaction.db, collection: table.collection)
            guard let local = try table.find(conflict.documentID), local.revision == conflict.local.revision,
                let remote = try conflicts.find(conflict.documentID, remote: remoteID),
                remote.revision == conflict.remote.revision
            else { return false }
            try conflicts.remove(remote.documentID, remote: remoteID)
            let resolver = RevisionTreeResolution(table: table, local: local, remote: remote)
            try resolver.apply(resolution, stillInConflict: try conflicts.isAny(local.id))
            return true
        }
    }
}

/// How a resolution is stored in a revision tree: the remote's branch goes on, the local one is dropped.
private struct RevisionTreeResolution {
    let table: DocumentTable
    let local: CollectionDocument
    let remote: StoredConflict

    func apply(_ resolution: ConflictResolution, stillInConflict: Bool) throws {
        let base = try takeRemote(stillInConflict)
        let present =
            switch resolution {
            case .remote:
                // A deletion that beats a live local revision is confirmed by one more tombstone; other remotes get one
                // anyway.
                if remote.isDeleted, !local.isDeleted, !local.remotes.hasOthers(than: remote.remote) {
                    try delete(leaving: remote.body, over: base)
                } else {
                    base
                }
            case .local where local.isDeleted, .deleted:
                if remote.isDeleted, local.isDeleted {
                    base
                } else {
                    // The content of the tombstone is kept.
                    try delete(leaving: local.isDeleted ? local.body : DocumentBody.empty.bytes, over: base)
                }
            case .local: try table.edit(local.id, to: EditedContent(parsing: local.body), over: base)
            case .merged(let body): try table.edit(local.id, to: EditedContent(parsing: body), over: base)
            }
        try carryOver(to: present)
    }

    /// If the local content won, other remotes that have it need not get it once more.
    private func carryOver(to present: CollectionDocument) throws {
        guard local.remotes.hasOthers(than: remote.remote),
            try RevisionContent(local).isSame(as: RevisionContent(present))
        else { return }
        var remotes = present.remotes
        remotes.carryOver(from: local.revision, to: present.revision)
        if remotes != present.remotes { try table.setRemotes(remotes, of: present) }
    }

    private func takeRemote(_ stillInConflict: Bool) throws -> CollectionDocument {
        var flags: DocumentRowFlags = stillInConflict ? .inConflict : []
        if remote.isDeleted { flags.insert(.deleted) }
        var remotes = local.remotes
        remotes.set(remote.revision, of: remote.remote)
        let document = try table.put(
            CollectionDocument(
                sequence: 0, id: local.id, revision: remote.revision,
                historyText: remote.history.trimmed(keeping: remotes).description, remotes: remotes, flags: flags,
                timestamp: table.transaction.now.nanoseconds, expiration: local.expiration, body: remote.body),
            naming: DocumentBody(scanned: remote.body).digests, replacing: local)
        try table.forgetBase(of: local.id)
        return document
    }

    private func delete(leaving body: [UInt8], over base: CollectionDocument) throws -> CollectionDocument {
        try table.edit(local.id, to: EditedContent(deletionWith: DocumentBody(scanned: body)), over: base)
    }
}
