import DocumentValues
import SQLiteStorage

extension DocumentTable {
    /// Stores a person's edit as a child of `current`, the document's present revision if it has one.
    func edit(_ id: String, to content: EditedContent, over current: CollectionDocument?) throws -> CollectionDocument {
        if let error = StoreError.tooLarge(content.body.bytes, documentID: id) { throw error }
        let remotes = current?.remotes ?? RemoteRevisions()
        let history =
            try current.map { try $0.history.extended(by: $0.revision, keeping: remotes) } ?? RevisionHistory()
        if let current { try keepBase(current) }
        return try put(
            CollectionDocument(
                sequence: 0, id: id, revision: content.revision(over: current?.revision),
                historyText: history.description, remotes: remotes, flags: flags(content.isDeleted, over: current),
                timestamp: transaction.now.nanoseconds,
                expiration: content.isDeleted ? nil : current?.expiration, body: content.body.bytes),
            naming: content.body.digests, replacing: current)
    }

    /// Stores a document that is not there yet, if it can be done by one statement; `nil` where there is a row of that id.
    func add(_ id: String, content: EditedContent) throws -> SavedRevision? {
        if let error = StoreError.tooLarge(content.body.bytes, documentID: id) { throw error }
        guard content.body.named.isEmpty, !content.isDeleted else { return nil }
        let revision = content.revision(over: nil)
        return try insertFirst(id, revision: revision, body: content.body.bytes).map {
            SavedRevision(
                revision: revision, sequence: $0, timestamp: transaction.now.nanoseconds, isDeleted: false)
        }
    }

    /// Restores a document that is not here, as an edit of its remote's version.
    func restore(_ kept: QuarantinedDocument, remote: Int64?) throws -> CollectionDocument {
        let content = try EditedContent(stored: kept.body, isDeleted: kept.isDeleted)
        guard let remote, let base = kept.base else { return try edit(kept.documentID, to: content, over: nil) }
        var remotes = RemoteRevisions()
        remotes.set(base, of: remote)
        if let body = kept.baseBody { try setBase(body, revision: base, of: kept.documentID) }
        return try put(
            CollectionDocument(
                sequence: 0, id: kept.documentID, revision: content.revision(over: base),
                historyText: RevisionHistory([base]).description, remotes: remotes,
                flags: flags(kept.isDeleted, over: nil).union(.restored), timestamp: transaction.now.nanoseconds,
                expiration: nil, body: kept.body), naming: content.body.digests, replacing: nil)
    }

    /// Stores an edit as a sibling of `lost`, a child of the same parent, and as if remotes had nothing newer than that
    /// parent.
    func replace(lost: CollectionDocument, body: [UInt8]) throws -> CollectionDocument {
        if let error = StoreError.tooLarge(body, documentID: lost.id) { throw error }
        let parent = try lost.history.parent
        let content = try EditedContent(parsing: body)
        try forgetBase(of: lost.id)
        return try put(
            CollectionDocument(
                sequence: 0, id: lost.id, revision: content.revision(over: parent), historyText: lost.historyText,
                remotes: lost.remotes.setBack(to: parent), flags: flags(false, over: lost),
                timestamp: transaction.now.nanoseconds, expiration: lost.expiration, body: body),
            naming: content.body.digests, replacing: lost)
    }

    private func flags(_ isDeleted: Bool, over current: CollectionDocument?) -> DocumentRowFlags {
        var flags = current?.flags.intersection(.inConflict) ?? []
        if let current, !current.remotes.contains(current.revision) {
            flags.formUnion(current.flags.intersection(.restored))
        }
        if isDeleted { flags.insert(.deleted) }
        return flags
    }

    /// Before the first edit of a revision that a remote has, keeps its body: a merge will need it.
    private func keepBase(_ current: CollectionDocument) throws {
        guard !current.isDeleted, current.remotes.contains(current.revision) else { return }
        try setBase(current.body, revision: current.revision, of: current.id)
    }

    func setBase(_ body: [UInt8], revision: RevisionID, of id: String) throws {
        let insert = try RawStatement(
            "INSERT OR REPLACE INTO base_bodies (collection, document_id, revision, body) VALUES (?1, ?2, ?3, ?4)",
            transaction.db)
        insert.bind(1, to: collection)
        insert.bind(2, to: id)
        insert.bind(3, to: revision.description)
        insert.bindText(4, to: body)
        try insert.run()
        transaction.baseIsKept()
    }

    func forgetBase(of id: String) throws {
        guard try transaction.keepsBases() else { return }
        let delete = try RawStatement(
            "DELETE FROM base_bodies WHERE collection = ?1 AND document_id = ?2", transaction.db)
        delete.bind(1, to: collection)
        delete.bind(2, to: id)
        try delete.run()
    }
}
