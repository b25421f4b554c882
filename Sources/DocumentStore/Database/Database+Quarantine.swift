import DocumentValues

extension Database {
    /// Documents that were purged because access was lost, although they had edits that no remote ever got; the oldest
    /// entry first.
    ///
    /// - Throws: `.notOpen` if the database is closed; `.wrongAttachmentStorage` if the entries are sealed and the folder
    ///   was opened without its key.
    public func quarantinedDocuments() throws -> [QuarantinedDocument] {
        let core = try core()
        return try core.read { try QuarantineTable($0, sealer: core.blobs.sealer).all() }
    }

    /// How many there are, also of those that cannot be opened.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func quarantinedDocumentCount() throws -> Int { try core().read(QuarantineTable.count) }

    /// Saves the document again as a local edit, on top of the present revision; it leaves the quarantine. If there is
    /// no document of the id, it is saved as an edit of the gateway's version at the time of the purge: so there is no
    /// conflict unless the gateway's version has changed. A deletion that was kept deletes the present document, even if
    /// that has changed since.
    ///
    /// - Parameter id: the entry's, as ``quarantinedDocuments()`` gives it.
    /// - Throws: `.notFound` if there is no such entry or its collection is gone; `.wrongAttachmentStorage` if the entry is
    ///   sealed and the folder was opened without its key; `.notOpen` if the database is closed, and `.busy`.
    public func restoreQuarantinedDocument(_ id: Int64) throws {
        try restoreQuarantinedDocument(id) { kept, _ in kept.body }
    }

    /// - Parameter merging: the new body, if the document is here again and differs from the version with which the
    ///   edits began.
    package func restoreQuarantinedDocument(
        _ id: Int64, merging: (_ kept: QuarantinedDocument, _ present: [UInt8]) throws -> [UInt8]
    ) throws {
        let core = try core()
        try core.write { transaction in
            let quarantine = QuarantineTable(transaction.db, sealer: core.blobs.sealer)
            guard let kept = try quarantine.find(id) else { throw Self.notQuarantined(id) }
            let table = try transaction.table(kept.collection)
            let current = try table.findPresent(kept.documentID)
            if let current {
                let needsNoMerge = current.isDeleted || kept.isDeleted || current.revision == kept.base
                let body = needsNoMerge ? kept.body : try merging(kept, current.body)
                let content = try EditedContent(stored: body, isDeleted: kept.isDeleted)
                _ = try table.edit(kept.documentID, to: content, over: current)
            } else {
                let remote = try Remotes.find(kept.remote, in: transaction.db)
                _ = try table.restore(kept, remote: remote)
            }
            transaction.releasedBlobs.formUnion(try quarantine.remove(id))
        }
    }

    /// Forgets the edits for good.
    ///
    /// - Parameter id: the entry's, as ``quarantinedDocuments()`` gives it.
    /// - Throws: `.notFound` if there is no such entry; `.wrongAttachmentStorage` if it is sealed and the folder was opened
    ///   without its key; `.notOpen` if the database is closed, and `.busy`.
    public func discardQuarantinedDocument(_ id: Int64) throws {
        let core = try core()
        try core.write { transaction in
            let quarantine = QuarantineTable(transaction.db, sealer: core.blobs.sealer)
            guard try quarantine.find(id) != nil else { throw Self.notQuarantined(id) }
            transaction.releasedBlobs.formUnion(try quarantine.remove(id))
            transaction.hasPurged = true
        }
    }

    private static func notQuarantined(_ id: Int64) -> StoreError {
        StoreError(.notFound, message: "There is no such document in the quarantine.", context: ["number": "\(id)"])
    }
}
