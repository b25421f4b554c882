import DocumentValues

extension Collection {
    /// Saves a document; the last save wins. It is on the disk when this returns, unless ``DatabaseConfiguration/durability``
    /// says otherwise.
    ///
    /// - Throws: `.badDocumentID` for a new document whose id has not 1 to 240 bytes, or has a control character or `_` in
    ///   front; `.invalidParameter` for a value that no document can hold, with its path, a member whose name is reserved, a
    ///   blob without content or of another database, and a document of another collection; `.tooLarge` for more than 20 MB of
    ///   JSON; `.missingBlob` if the content of a blob is not in the database; `.notOpen` if the database is closed or the
    ///   collection deleted, and `.busy`.
    public func save(document: MutableDocument) throws {
        _ = try save(document: document, concurrencyControl: .lastWriteWins)
    }

    /// Saves a document.
    ///
    /// - Returns: false with `failOnConflict` if the document was changed elsewhere since it was read.
    /// - Throws: the errors of ``save(document:)``.
    public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
        switch try store(document, isDeleted: false, control: concurrencyControl) {
        case .stored: return true
        case .conflict: return false
        }
    }

    /// Saves a document. If it was changed elsewhere since it was read, `conflictHandler` gets the document and the
    /// stored one (`nil` if that is deleted). It may change the document and says whether to save it.
    ///
    /// - Returns: false if the handler declined.
    /// - Throws: `.conflict` if the document has changed again after each of ten calls of the handler, which also happens if
    ///   the handler saves the document itself; `.notFound` if it was purged since it was read, so that there is nothing to
    ///   merge it with; otherwise the errors of ``save(document:)``.
    public func save(
        document: MutableDocument, conflictHandler: @escaping (MutableDocument, Document?) -> Bool
    ) throws -> Bool {
        let former = document.present
        for _ in 0..<StoreLimits.conflictHandlerAttempts {
            switch try store(document, isDeleted: false, control: .failOnConflict, former: former) {
            case .stored: return true
            case .conflict(nil): throw StoreError.purgedSinceRead(document.id, in: self)
            case .conflict(let present?):
                let other = try Document(present, collection: self)
                guard conflictHandler(document, other.isDeleted ? nil : other) else { return false }
                document.rebase(on: present)
            }
        }
        throw StoreError(
            .conflict, message: "The document kept changing while it was saved.", context: ["document": document.id],
            hint: "Try again.")
    }

    // MARK: Deleting

    /// Deletes a document; the deletion replicates. The last change wins.
    ///
    /// - Throws: `.notFound` for a document that was never saved, or that is gone; `.invalidParameter` for one of another
    ///   collection; `.notOpen` if the database is closed or the collection deleted, and `.busy`.
    public func delete(document: Document) throws {
        _ = try delete(document: document, concurrencyControl: .lastWriteWins)
    }

    /// Deletes a document with a tombstone that has content for the gateway.
    ///
    /// - Parameter content: all of it is sent to every user who had the document.
    package func delete(document: Document, leaving content: JSONObject) throws {
        guard document.revision != nil else { throw Self.unsaved(document) }
        _ = try store(document, isDeleted: true, control: .lastWriteWins, tombstone: content)
    }

    /// Deletes a document; the deletion replicates.
    ///
    /// - Returns: false with `failOnConflict` if the document was changed elsewhere since it was read.
    /// - Throws: the errors of ``delete(document:)``.
    public func delete(document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
        guard document.revision != nil else { throw Self.unsaved(document) }
        switch try store(document, isDeleted: true, control: concurrencyControl) {
        case .stored: return true
        case .conflict: return false
        }
    }

    private static func unsaved(_ document: Document) -> StoreError {
        StoreError(
            .notFound, message: "Cannot delete a document that has not yet been saved.",
            context: ["document": document.id])
    }

    // MARK: Purging

    /// Forgets a document here, without a deletion that would replicate. Its content is overwritten on the disk, and so are
    /// its terms in full-text indexes. If the system's SQLite is older than 3.42, the terms are overwritten some seconds
    /// later, when the database is closed, or after a crash when it is opened again.
    ///
    /// - Throws: the errors of ``delete(document:)``.
    public func purge(document: Document) throws {
        try check(document)
        guard document.revision != nil else {
            throw StoreError(
                .notFound, message: "Cannot purge a document that has not yet been saved.",
                context: ["document": document.id])
        }
        try purge(id: document.id)
    }

    /// Forgets the document of an id here, as ``purge(document:)`` does; a deleted one, too.
    ///
    /// - Throws: `.notFound` if there is no such document; `.notOpen` if the database is closed or the collection deleted, and
    ///   `.busy`.
    public func purge(id: String) throws {
        try database.core().writeMakingRoom { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id) else { throw StoreError.noDocument(id, in: self) }
            try table.purge(stored)
        }
    }

    // MARK: How

    private enum SaveOutcome {
        case stored(SavedRevision)
        /// The revision that another writer has stored; `nil` where the document was purged.
        case conflict(CollectionDocument?)
    }

    /// - Parameters:
    ///   - former: the revision that the document gets back if the batch around this is rolled back; by default its
    ///     present one.
    ///   - tombstone: the content of a deletion.
    private func store(
        _ document: Document, isDeleted: Bool, control: ConcurrencyControl, former: Document.Version? = nil,
        tombstone: JSONObject = JSONObject()
    ) throws -> SaveOutcome {
        try check(document)
        let former = former ?? document.present
        let core = try database.core()
        let (content, blobs) =
            isDeleted ? (try document.deletion(saying: tombstone), []) : try document.edited(in: database)
        func note(_ stored: SavedRevision, in transaction: WriteTransaction) -> SaveOutcome {
            // Weak: a large batch would otherwise keep all its documents in memory.
            transaction.whenRolledBack { [weak document, revision = stored.revision] in
                document?.takeBack(revision, to: former)
            }
            return .stored(stored)
        }
        /// The short way, which nearly all documents of a large batch take.
        func add(_ transaction: WriteTransaction) throws -> SaveOutcome? {
            guard document.revision == nil, blobs.isEmpty,
                let stored = try transaction.table(number).add(document.id, content: content)
            else { return nil }
            return note(stored, in: transaction)
        }
        func write(_ transaction: WriteTransaction) throws -> SaveOutcome {
            let table = try transaction.table(number)
            let current = try table.findPresent(document.id)
            if isDeleted, current == nil { throw StoreError.noDocument(document.id, in: self) }
            if control == .failOnConflict, !document.isBased(on: current) { return .conflict(current) }
            // A purge may have removed a blob between its installation and this transaction.
            for blob in blobs { try blob.install(in: database) }
            if !isDeleted {
                try checkBlobs(of: content.body, known: current, documentID: document.id, in: core.blobs)
            }
            return note(SavedRevision(try table.edit(document.id, to: content, over: current)), in: transaction)
        }
        let outcome =
            try isDeleted ? core.writeMakingRoom(body: write) : core.write(inOneStatement: add, otherwise: write)
        if case .stored(let stored) = outcome { document.didStore(stored, in: self) }
        return outcome
    }

    /// A container that came from another document may refer to blobs that this database does not have: they are another
    /// database's, or were purged. References of the stored version are not checked.
    private func checkBlobs(
        of body: DocumentBody, known current: CollectionDocument?, documentID: String, in storage: any BlobStorage
    ) throws {
        let named = body.blobs.filter { ($0.length ?? 0) > 0 }
        guard !named.isEmpty else { return }
        let known = try current.map { try DocumentBody(scanned: $0.body).digests } ?? []
        for blob in named where !known.contains(blob.digest) {
            guard let length = try storage.length(of: blob.digest) else {
                throw StoreError(
                    .missingBlob,
                    message: "The document refers to an attachment whose content is not in this database.",
                    context: ["document": documentID, "blob": blob.digest.text], hint: "Set a blob with its content.")
            }
            // No gateway accepts an attachment whose length differs from the one that its document names.
            guard length == blob.length else {
                throw StoreError(
                    .invalidParameter, message: "The document gives an attachment another length than it has.",
                    context: ["document": documentID, "blob": blob.digest.text], hint: "Its length is \(length).")
            }
        }
    }

    private func check(_ document: Document) throws {
        guard document.collection.map({ $0 == self }) ?? true else {
            throw StoreError(
                .invalidParameter, message: "Cannot operate on a document from another collection.",
                context: ["document": document.id, "collection": fullName])
        }
        guard DocumentIDRules.isValid(document.id) || document.revision != nil else {
            throw StoreError(
                .badDocumentID, message: "A document id has 1 to 240 bytes, no control characters and no '_' in front.",
                context: ["document": document.id])
        }
    }
}

extension Document {
    /// The content of a tombstone.
    fileprivate func deletion(saying tombstone: JSONObject) throws -> EditedContent {
        try checkMembers(of: tombstone)
        return EditedContent(deletionWith: DocumentBody(tombstone))
    }

    /// The content to be stored. Its blobs are in the database from now on.
    fileprivate func edited(in database: Database) throws -> (content: EditedContent, blobs: [Blob]) {
        if let text = node.text, !text.mayHaveReservedMembers { return (EditedContent(text), []) }
        let (body, blobs) = try writable()
        try checkMembers(of: body)
        for blob in blobs { try blob.install(in: database) }
        // The digests and lengths are known only now, so they are in the JSON only when it is written again.
        return (EditedContent(blobs.isEmpty ? body : self.body), blobs)
    }

    /// Refuses members that a gateway would refuse or drop.
    fileprivate func checkMembers(of body: JSONObject) throws {
        if let reserved = body.keys.first(where: ReservedMember.isReserved) {
            throw reservedMember(reserved)
        }
        // Pulled documents have the member in this form; no other value of that name is accepted.
        if let attachments = body["_attachments"] {
            let entries = attachments.objectValue?.members ?? []
            guard !entries.isEmpty, entries.allSatisfy({ BlobMetadata(attachment: $0.value) != nil }) else {
                throw reservedMember("_attachments")
            }
        }
    }

    private func reservedMember(_ name: String) -> StoreError {
        StoreError(
            .invalidParameter, message: "The top-level property '\(name)' is reserved.",
            context: ["document": id], hint: "Choose another name.")
    }

    /// Whether the document is unchanged since it was read. A deleted one may be made again.
    fileprivate func isBased(on current: CollectionDocument?) -> Bool {
        guard let current else { return revision == nil }
        return current.revision == revision || (revision == nil && current.isDeleted)
    }

    fileprivate func rebase(on current: CollectionDocument) { present.revision = current.revision }

    fileprivate func didStore(_ stored: SavedRevision, in collection: Collection) {
        present = Version(
            collection: collection, revision: stored.revision, sequence: stored.sequence, timestamp: stored.timestamp,
            isDeleted: stored.isDeleted)
    }

    /// A save that is rolled back does not count: the next one is compared with the revision that was read.
    fileprivate func takeBack(_ revision: RevisionID, to former: Version) {
        guard present.revision == revision else { return }
        present = former
    }
}

extension StoreError {
    static func noDocument(_ id: String, in collection: Collection) -> StoreError {
        StoreError(
            .notFound, message: "There is no such document.",
            context: ["document": id, "collection": collection.fullName])
    }

    fileprivate static func purgedSinceRead(_ id: String, in collection: Collection) -> StoreError {
        StoreError(
            .notFound, message: "The document was purged since it was read.",
            context: ["document": id, "collection": collection.fullName],
            hint: "Save its content as a new document if it is still wanted.")
    }
}

extension Document {
    /// The JSON as it would be saved; blobs that are new are stored first. For content that does not become a document
    /// of its own, such as a resolver's result.
    ///
    /// - Throws: the errors of saving a document, whose rules hold for the content, too.
    package func bodyStoringBlobs(in database: Database) throws -> [UInt8] {
        let (body, blobs) = try writable()
        try checkMembers(of: body)
        for blob in blobs { try blob.install(in: database) }
        return blobs.isEmpty ? body.bytes : self.body.bytes
    }
}
