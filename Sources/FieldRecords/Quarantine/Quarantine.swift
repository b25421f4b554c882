import DocumentStore
import DocumentValues
import FieldModels

/// Edits that no gateway got, of records that were taken away.
public struct Quarantine: RecordService {
    let store: RecordStore
    let journal: ChangeJournal

    /// Everything in quarantine, the oldest first.
    public func all() throws -> [QuarantinedRecord] {
        let documents = try database.quarantinedDocuments()
        let titles = RecordTitles(store, besides: documents)
        let entries = try documents.contains(where: \.isDeleted) ? journal.entries() : []
        return try documents.map { document in
            let kind = RecordKind(collection: document.collection)
            // One that cannot be read has its id for a title, and hides none of the others.
            let body = JSONObject.readable(document.body) ?? JSONObject()
            let content = document.isDeleted ? Self.deletedContent(of: document, in: entries) ?? body : body
            return QuarantinedRecord(
                id: document.id, kind: kind, collection: document.collection.description,
                documentID: document.documentID,
                title: try kind.flatMap { try titles.title(of: $0, content) } ?? document.documentID,
                reason: Self.message(ofLoss: document.reason),
                moment: Timestamp(secondsSince1970: Int64(document.date)), body: body, isDeleted: document.isDeleted,
                changes: document.isDeleted ? nil : Self.changes(of: document, body))
        }
    }

    /// The version that the gateway had, or the one that was deleted here.
    private static func deletedContent(of document: QuarantinedDocument, in entries: [JournalEntry]) -> JSONObject? {
        if let base = document.baseBody.flatMap({ JSONObject.readable($0) }) { return base }
        guard let kind = RecordKind(collection: document.collection) else { return nil }
        return entries.contentBeforeLastChange(of: kind, document.documentID)
    }

    private static func changes(of document: QuarantinedDocument, _ body: JSONObject) -> [String]? {
        guard let base = document.baseBody.flatMap({ JSONObject.readable($0) }) else { return nil }
        // Whose it is to see goes with its district.
        func content(_ object: JSONObject) -> JSONObject { object.filter { $0 != "channels" } }
        return RecordDifference.lines(from: content(base), to: content(body))
    }

    /// Replicators put documents into the quarantine for one reason, and name it in a text of their own; earlier ones did not.
    private static func message(ofLoss reason: String) -> String {
        let isLoss = reason.isEmpty || reason.isExactly(QuarantinedDocument.accessLost)
        return isLoss ? "You have no access to it any more; the gateway has taken it from this laptop." : reason
    }

    /// Makes the edit a record again; it will be pushed with the next sync, and refused unless access has returned. If
    /// the record is here again, and others have changed it, both versions are merged, as a sync does; if others have
    /// deleted it, a person decides whether it stays.
    public func restore(_ id: Int64, by author: Author) throws {
        try database.inBatch {
            let kept = try database.quarantinedDocuments().first { $0.id == id }
            let isDeleted = try kept.map(isDeletedElsewhere) ?? false
            try restore(id, writer: author.writer)
            guard isDeleted, let kept, let kind = RecordKind(collection: kept.collection) else { return }
            let body = RecordConflictResolver.overDeletion(
                kind, body: try JSONObject(parsing: kept.body), writer: author.writer)
            try collection(of: kind).save(bodies: [(kept.documentID, body.bytes)])
        }
    }

    /// Whether the gateway has a record as deleted, as far as this laptop knows. A quarantined deletion is none of these.
    private func isDeletedElsewhere(_ kept: QuarantinedDocument) throws -> Bool {
        guard !kept.isDeleted, let kind = RecordKind(collection: kept.collection),
            let present = try collection(of: kind).exchange(of: kept.documentID)
        else { return false }
        return present.isDeleted && present.isSent
    }

    /// Makes the edit a record again, whatever became of its record: in the form that the gateway accepts of the writer.
    private func restore(_ id: Int64, writer: RecordConflictResolver.Writer?) throws {
        try database.restoreQuarantinedDocument(id) { kept, present in
            let bodies = (try JSONObject(parsing: kept.body), try JSONObject(parsing: present))
            // The former base is no longer the value of either side: fields that the edits did not change get the
            // values of others.
            let base = kept.baseBody.flatMap { JSONObject.readable($0) }
            let merged = RecordConflictResolver.merged(
                RecordKind(collection: kept.collection), base: base, local: bodies.0, remote: bodies.1, deletion: nil,
                writer: writer)
            return merged?.bytes ?? kept.body
        }
    }

    /// Forgets the edit for good.
    public func discard(_ id: Int64) throws { try database.discardQuarantinedDocument(id) }
}
