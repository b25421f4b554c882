import DocumentValues
import GRDB
import SQLiteStorage

/// A collection's table inside a write transaction.
final class DocumentTable {
    private(set) var record: CollectionRecord
    unowned let transaction: WriteTransaction
    private let select: Swift.Result<RawStatement, any Error>
    private var firstInsertion: RawStatement?
    private var isChanged = false

    init(_ record: CollectionRecord, transaction: WriteTransaction) {
        self.record = record
        self.transaction = transaction
        select = Swift.Result {
            try RawStatement(DocumentRowCoding.select(record.id, where: "id = ?1"), transaction.db)
        }
    }

    var db: GRDB.Database { transaction.db }
    var collection: Int64 { record.id }

    // MARK: Counters

    /// For a row of a document, which keeps the counters.
    private func nextSequence() -> UInt64 {
        record.lastSequence += 1
        return record.lastSequence
    }

    /// For a change that leaves no such row: the catalogue has to keep the counters.
    private func sequenceWithoutDocument() -> UInt64 {
        isChanged = true
        return nextSequence()
    }

    /// Writes the counters that no row of a document has.
    func writeCounters() throws {
        guard isChanged else { return }
        try CollectionCatalog.setCounters(record, db)
        isChanged = false
    }

    func restore(_ former: CollectionRecord) {
        record = former
        isChanged = true
    }

    // MARK: Documents

    func find(_ id: String) throws -> CollectionDocument? {
        let select = try select.get()
        select.bind(1, to: id)
        return try select.first(DocumentRowCoding.read)
    }

    /// The same for a write: a document whose time has come is purged first. A document that is then written under its id is
    /// a new one.
    func findPresent(_ id: String) throws -> CollectionDocument? {
        let stored = try find(id)
        guard let stored, stored.hasExpired else { return stored }
        try purge(stored)
        return nil
    }

    /// Stores a revision in place of `old`, the document's present row, under a new sequence.
    ///
    /// - Parameter digests: of the blobs and attachments that its body names.
    func put(
        _ document: CollectionDocument, naming digests: Set<BlobDigest>, replacing old: CollectionDocument?
    ) throws -> CollectionDocument {
        var document = document
        if digests.isEmpty { document.flags.remove(.hasBlobs) } else { document.flags.insert(.hasBlobs) }
        document.sequence = nextSequence()
        // The date at which a tombstone is forgotten is not one for the document that follows it.
        if let old, old.isDeleted, !document.isDeleted { document.expiration = nil }
        record.liveDocuments += (document.isDeleted ? 0 : 1) - (old.map { $0.isDeleted ? 0 : 1 } ?? 0)
        if let old { try update(old.sequence, to: document) } else { try insert(document) }
        // The collection must not keep a time that no document has: it would be due for ever.
        if old?.expiration != document.expiration { try refreshNextExpiration() }
        if !digests.isEmpty {
            try transaction.blobReferences.add(digests, collection: collection, owner: .document, item: document.id)
        }
        if old != nil { try transaction.clearOutbox(collection: collection, documentID: document.id) }
        return document
    }

    /// Stores the first revision of a document that has neither blobs nor a time to be purged at, without reading the table
    /// first: by one statement that changes nothing if there is a row of that id, even that of a tombstone.
    ///
    /// - Returns: its sequence; `nil` where there is one.
    func insertFirst(_ id: String, revision: RevisionID, body: [UInt8]) throws -> UInt64? {
        let statement = try firstInsertion ?? RawStatement(DocumentRowCoding.insertFirst(collection), db)
        firstInsertion = statement
        statement.bind(1, to: Int64(record.lastSequence + 1))
        statement.bind(4, to: Int64(transaction.now.nanoseconds))
        statement.bind(6, to: record.liveDocuments + 1)
        try statement.lending(id, to: 2) {
            try statement.lending(revision.description, to: 3) {
                try statement.lending(body, to: 5) { try statement.run() }
            }
        }
        guard db.changesCount > 0 else { return nil }
        record.liveDocuments += 1
        return nextSequence()
    }

    private func insert(_ document: CollectionDocument) throws {
        let statement = try RawStatement(DocumentRowCoding.insert(collection), db)
        DocumentRowCoding.bind(document, live: record.liveDocuments, statement: statement)
        try statement.run()
    }

    private func update(_ sequence: UInt64, to document: CollectionDocument) throws {
        let statement = try RawStatement(
            """
            UPDATE documents_\(collection) SET sequence = ?1, id = ?2, revision = ?3, history = ?4, remotes = ?5,
            flags = ?6, timestamp = ?7, expiration = ?8, body = ?9, live_documents = ?10 WHERE sequence = ?11
            """, db)
        DocumentRowCoding.bind(document, live: record.liveDocuments, statement: statement)
        statement.bind(11, to: Int64(sequence))
        try statement.run()
    }

    /// Gives the document a new sequence, so that readers of the changes see it again, without a new revision.
    func touch(_ document: CollectionDocument) throws {
        let statement = try RawStatement(
            "UPDATE documents_\(collection) SET sequence = ?2, live_documents = ?3 WHERE sequence = ?1", db)
        statement.bind(1, to: Int64(document.sequence))
        statement.bind(2, to: Int64(nextSequence()))
        statement.bind(3, to: record.liveDocuments)
        try statement.run()
    }

    /// Notes the revisions that remotes have; the document does not change, so it gets no new sequence.
    func setRemotes(_ remotes: RemoteRevisions, of document: CollectionDocument) throws {
        let statement = try RawStatement(
            "UPDATE documents_\(collection) SET remotes = ?2 WHERE sequence = ?1", db)
        statement.bind(1, to: Int64(document.sequence))
        statement.bind(2, to: remotes.text)
        try statement.run()
    }

    /// Records the usual first news of a new document, that a remote has its current revision, without reading it.
    ///
    /// - Returns: whether this was the first news; otherwise the row has to be read.
    func recordFirst(remote: Int64, has revision: RevisionID, of id: String) throws -> Bool {
        let statement = try RawStatement(
            "UPDATE documents_\(collection) SET remotes = ?1 WHERE id = ?2 AND revision = ?3 AND remotes = ''", db)
        var remotes = RemoteRevisions()
        remotes.set(revision, of: remote)
        statement.bind(1, to: remotes.text)
        statement.bind(2, to: id)
        statement.bind(3, to: revision.description)
        try statement.run()
        return db.changesCount > 0
    }

    func setFlags(_ flags: DocumentRowFlags, of document: CollectionDocument) throws {
        let statement = try RawStatement("UPDATE documents_\(collection) SET flags = ?2 WHERE sequence = ?1", db)
        statement.bind(1, to: Int64(document.sequence))
        statement.bind(2, to: flags.rawValue)
        try statement.run()
    }

    // MARK: Purging

    /// Forgets a document with everything that belongs to it, but not its quarantined edits.
    func purge(_ document: CollectionDocument) throws {
        let delete = try RawStatement("DELETE FROM documents_\(collection) WHERE sequence = ?1", db)
        delete.bind(1, to: Int64(document.sequence))
        try delete.run()
        for table in ["conflicts", "base_bodies", "outbox"] {
            let delete = try RawStatement("DELETE FROM \(table) WHERE collection = ?1 AND document_id = ?2", db)
            delete.bind(1, to: collection)
            delete.bind(2, to: document.id)
            try delete.run()
        }
        for owner in [BlobOwner.document, .conflict] {
            transaction.releasedBlobs.formUnion(
                try transaction.blobReferences.remove(collection: collection, owner: owner, item: document.id))
        }
        if !document.isDeleted { record.liveDocuments -= 1 }
        transaction.hasPurged = true
        try rememberPurge(document.id)
        if document.expiration != nil { try refreshNextExpiration() }
    }

    private func rememberPurge(_ id: String) throws {
        let forget = try RawStatement("DELETE FROM purged_documents WHERE purged_at < ?1", db)
        forget.bind(1, to: transaction.now.seconds - StoreLimits.purgeMemory)
        try forget.run()
        let insert = try RawStatement(
            "INSERT INTO purged_documents (collection, sequence, document_id, purged_at) VALUES (?1, ?2, ?3, ?4)", db)
        insert.bind(1, to: collection)
        insert.bind(2, to: Int64(sequenceWithoutDocument()))
        insert.bind(3, to: id)
        insert.bind(4, to: transaction.now.seconds)
        try insert.run()
    }

    // MARK: Expiration

    /// Sets the document's time. Its revision and its sequence stay, so that it is not sent again; the collection gets a
    /// sequence of no document, by which live queries hear of it, those of other processes, too.
    func setExpiration(_ expiration: Double?, of document: CollectionDocument) throws {
        if expiration != document.expiration { _ = sequenceWithoutDocument() }
        let update = try RawStatement("UPDATE documents_\(collection) SET expiration = ?2 WHERE sequence = ?1", db)
        update.bind(1, to: Int64(document.sequence))
        update.bind(2, to: expiration)
        try update.run()
        transaction.hasNewExpiration = true
        try refreshNextExpiration()
    }

    /// A document whose time has come; `nil` where there is none.
    func findExpired(at seconds: Double) throws -> CollectionDocument? {
        let query = try RawStatement(
            DocumentRowCoding.select(
                collection, where: "expiration IS NOT NULL AND expiration <= ?1 ORDER BY expiration LIMIT 1"), db)
        query.bind(1, to: seconds)
        return try query.first(DocumentRowCoding.read)
    }

    private func refreshNextExpiration() throws {
        let query = try RawStatement(
            "SELECT min(expiration) FROM documents_\(collection) WHERE expiration IS NOT NULL", db)
        record.nextExpiration = try query.first { $0.double(0) } ?? nil
        isChanged = true
    }
}

/// Rows of the documents' tables to and from values.
enum DocumentRowCoding {
    static func select(_ collection: Int64, where condition: String) -> String {
        """
        SELECT sequence, id, revision, history, remotes, flags, timestamp, expiration, body \
        FROM documents_\(collection) WHERE \(condition)
        """
    }

    static func insert(_ collection: Int64) -> String {
        """
        INSERT INTO documents_\(collection) \
        (sequence, id, revision, history, remotes, flags, timestamp, expiration, body, live_documents) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """
    }

    /// The first revision of a document that was never exchanged.
    static func insertFirst(_ collection: Int64) -> String {
        """
        INSERT INTO documents_\(collection) \
        (sequence, id, revision, history, remotes, flags, timestamp, expiration, body, live_documents) \
        VALUES (?1, ?2, ?3, '', '', 0, ?4, NULL, ?5, ?6) ON CONFLICT (id) DO NOTHING
        """
    }

    static func read(_ row: RawStatement) throws -> CollectionDocument {
        CollectionDocument(
            sequence: row.natural(0), id: row.text(1), revision: try row.revision(2), historyText: row.text(3),
            remotes: RemoteRevisions(parsing: row.text(4)), flags: DocumentRowFlags(rawValue: row.int64(5)),
            timestamp: row.natural(6), expiration: row.double(7), body: row.bytes(8))
    }

    /// - Parameter live: how many documents the collection has with this one, tombstones aside.
    static func bind(_ document: CollectionDocument, live: Int64, statement: RawStatement) {
        statement.bind(1, to: Int64(document.sequence))
        statement.bind(2, to: document.id)
        statement.bind(3, to: document.revision.description)
        statement.bind(4, to: document.historyText)
        statement.bind(5, to: document.remotes.text)
        statement.bind(6, to: document.flags.rawValue)
        statement.bind(7, to: Int64(document.timestamp))
        statement.bind(8, to: document.expiration)
        statement.bindText(9, to: document.body)
        statement.bind(10, to: live)
    }
}

extension StoreError {
    /// `nil` for a body that is within the limit.
    static func tooLarge(_ body: [UInt8], documentID: String) -> StoreError? {
        guard body.count > StoreLimits.documentBody else { return nil }
        return tooLarge(documentID: documentID, bytes: body.count)
    }

    /// - Parameter bytes: its size, if it was counted.
    static func tooLarge(documentID: String, bytes: Int? = nil) -> StoreError {
        var context = ["document": documentID]
        if let bytes { context["bytes"] = "\(bytes)" }
        return StoreError(
            .tooLarge, message: "The document is larger than \(StoreLimits.documentBody) bytes.", context: context,
            hint: "Move large content into a blob.")
    }
}
