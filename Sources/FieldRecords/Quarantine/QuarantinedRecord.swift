import DocumentStore
import DocumentValues
import FieldModels

/// An edit that was never pushed before its record was taken away: it is in quarantine, not gone.
public struct QuarantinedRecord: Sendable, Hashable, Identifiable {
    public let id: Int64
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var collection: String
    @Exact public private(set) var documentID: String
    /// What a list shows of it; of a deletion what is still known of what was deleted.
    @Exact public private(set) var title: String
    @Exact public private(set) var reason: String
    public let moment: Timestamp
    /// The worker's version of the record.
    public let body: JSONObject
    public let isDeleted: Bool
    /// What was changed here and never sent: `score 60 → 80`, a line each; `nil` where it is not known what the gateway had, as
    /// of a new record, and for a deletion.
    public let changes: [String]?
}

extension FieldDatabase {
    /// Everything in quarantine, the oldest first.
    public func quarantine() throws -> [QuarantinedRecord] {
        let documents = try database.quarantinedDocuments()
        let titles = RecordTitles(self, besides: documents)
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

    /// Replicators put documents into the quarantine for one reason, and name it in a text of their own.
    private static func message(ofLoss reason: String) -> String {
        let isLoss = reason.isEmpty || reason.isExactly("Access to the document was lost.")
        return isLoss ? "You have no access to it any more; the gateway has taken it from this laptop." : reason
    }

    /// Makes the edit a record again, whatever became of its record: in the form that the gateway accepts of the writer.
    func restoreFromQuarantine(_ id: Int64, writer: RecordConflictResolver.Writer?) throws {
        try database.restoreQuarantinedDocument(id) { kept, present in
            let bodies = (try JSONObject(parsing: kept.body), try JSONObject(parsing: present))
            // What the edits began with is nobody's value any more, and what they left alone is as others have it.
            let base = kept.baseBody.flatMap { JSONObject.readable($0) }
            let merged = RecordConflictResolver.merged(
                RecordKind(collection: kept.collection), base: base, local: bodies.0, remote: bodies.1, deletion: nil,
                writer: writer)
            return merged?.bytes ?? kept.body
        }
    }

    /// Forgets the edit for good.
    public func discardFromQuarantine(_ id: Int64) throws { try database.discardQuarantinedDocument(id) }
}

extension JSONObject {
    /// The line that a list shows of a record.
    func title(of kind: RecordKind) -> String? {
        func text(_ keys: String...) -> String? {
            let parts = keys.compactMap { self[$0]?.stringValue }
            return parts.isEmpty ? nil : parts.joined(separator: " ").asTitle
        }
        switch kind {
        case .site, .form: return text("name")
        case .inspection: return text("date", "visit", "site")
        case .finding: return text("date", "text")
        case .assignment: return text("inspector", "due", "site")
        }
    }
}
