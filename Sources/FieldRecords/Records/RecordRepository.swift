import DocumentStore
import DocumentValues
import FieldModels

/// The records of one kind, as typed values over their collection.
public struct RecordRepository<Record: FieldRecord>: Sendable {
    let collection: Collection
    let journal: ChangeJournal
    /// Of the same folder: a finding goes with its inspection.
    let inspections: Collection
    /// The changes by others in them.
    let changePages: ChangePages

    public var count: Int { Int(collection.count) }

    /// The record that a command is about; `nil` if there is none. The records that it refers to are looked up with
    /// ``findReadable(_:)``.
    ///
    /// - Throws: `RecordError` if the document is none that this program can read.
    public func find(_ id: String) throws -> Record? {
        guard let stored = try collection.bodies(of: [id])[0], !stored.isDeleted else { return nil }
        return try Record(id: id, body: stored.body)
    }

    /// `nil` also for a record that this program cannot read: such a record must not block the work on the ones that
    /// refer to it.
    public func findReadable(_ id: String) throws -> Record? {
        do { return try find(id) } catch is RecordError { return nil }
    }

    /// Every record in the order of the ids, and the unreadable ones among them. Findings of deleted inspections are
    /// not among them: see ``InspectionTies``.
    public func all() throws -> RecordList<Record> {
        var list = RecordList<Record>()
        list.unreadable = try forEachRecord { list.records.append($0) }
        return list
    }

    /// The same without keeping them: calls `body` for each record.
    ///
    /// - Returns: the errors of unreadable ones.
    func forEachRecord(_ body: (Record) throws -> Void) throws -> [RecordError] {
        var unreadable: [RecordError] = []
        let ties = try InspectionTies<Record>(inspections)
        try collection.forEachBody { id, json in
            let record: Record
            do throws(RecordError) { record = try Record(id: id, body: json) } catch {
                if !error.isOfOtherType { unreadable.append(error) }
                return
            }
            if !ties.hides(record) { try body(record) }
        }
        return unreadable
    }

    /// Saves a new record; it is on the disk when this returns.
    ///
    /// - Throws: `RecordError` naming every field at fault; nothing is saved then.
    @discardableResult
    public func add(_ record: Record, by author: Author) throws -> Record {
        var record = record
        record.envelope.createdBy = author.name
        record.envelope.createdAt = author.moment
        record.envelope.device = author.device
        try record.validate()
        let document = MutableDocument(id: record.id, body: record.object)
        guard try save(document, over: nil, record: record, by: author) else {
            throw RecordActionError(.exists, kind: Record.kind, id: record.id)
        }
        return record
    }

    /// Changes a record as it is now, even if a sync has changed it since the user looked at it.
    ///
    /// - Throws: `RecordError` naming every field at fault; `RecordActionError` for a finding that no list shows, since its
    ///   inspection is deleted. Nothing is saved then.
    @discardableResult
    public func update(_ id: String, by author: Author, change: (inout Record) throws -> Void) throws -> Record {
        try update(id, by: author, as: .decision, change: change)
    }

    @discardableResult
    func update(
        _ id: String, by author: Author, as purpose: EditPurpose, change: (inout Record) throws -> Void
    ) throws -> Record {
        while true {
            let edit = try edited(id, by: author, as: purpose, change: change)
            guard let changed = edit.changed else { return edit.record }
            let isSaved = try collection.database.inBatch {
                guard try save(changed, over: edit.present, record: edit.record, by: author) else { return false }
                if purpose == .decision { try settle(from: edit.present.body, to: changed.body, of: id) }
                return true
            }
            if isSaved { return edit.record }
        }
    }

    /// Setting back changes by others must not undo a decision of the user's.
    private func settle(from before: JSONObject, to after: JSONObject, of id: String) throws {
        try changePages.change(RecordReference(Record.kind, id: id)) { changes in
            changes.settled(Set(FieldChanges.changedFields(from: before, to: after, of: Record.kind)))
        }
    }

    /// Changes a record as ``update(_:by:change:)`` does, but not in the journal: a consequence of a sync is no command
    /// that the user could take back.
    ///
    /// - Returns: false if there is nothing to change.
    func amend(_ id: String, by author: Author, change: (inout Record) -> Void) throws -> Bool {
        while true {
            guard let changed = try edited(id, by: author, change: change).changed else { return false }
            if try collection.save(document: changed, concurrencyControl: .failOnConflict) { return true }
        }
    }

    private typealias Edit = (record: Record, present: Document, changed: MutableDocument?)

    /// - Returns: the document to be saved; `nil` where the change changes nothing.
    private func edited(
        _ id: String, by author: Author, as purpose: EditPurpose = .decision, change: (inout Record) throws -> Void
    ) throws -> Edit {
        guard let document = try collection.document(id: id) else {
            throw RecordActionError(.notFound, kind: Record.kind, id: id)
        }
        let before = try Record(id: id, object: document.body)
        try InspectionTies.check(before, among: inspections)
        var record = before
        try change(&record)
        // By bytes, as the document holds it: texts that only look alike are different ones.
        if record.object == before.object { return (record, document, nil) }
        record.envelope.changedBy = author.name
        record.envelope.changedAt = author.moment
        record.envelope.device = author.device
        record.envelope.forgetOverwritten(before: before.object, after: record.object)
        record.envelope.noteChanges(before: before.object, after: record.object, of: Record.kind)
        if purpose == .restoring { record.envelope.forgetNotesOfRemovedAnswers(in: record.object) }
        try record.validate(over: before)
        let changed = document.toMutable()
        changed.setBody(record.object)
        return (record, document, changed)
    }

    /// Deletes a record everywhere, with the next sync. A record that never left the laptop is purged at once: no other
    /// laptop knows of it.
    public func delete(_ id: String) throws {
        // In one transaction, so that a version of a sync is not deleted unseen, and the journal has the deleted
        // version.
        try collection.database.inBatch {
            guard let document = try collection.document(id: id) else {
                throw RecordActionError(.notFound, kind: Record.kind, id: id)
            }
            if try !collection.purgeIfUnsent(id: id) { try collection.deleteRecord(document) }
            try journal.note(
                Record.kind, id: id, before: JournalRecord.Version(document),
                after: try collection.exchange(of: id)?.revision, body: nil)
        }
    }

    /// Deletes a record as ``delete(_:)`` does, without a note in the journal. A record that is not here is deleted
    /// already.
    func deleteUnnoted(_ id: String) throws {
        guard let document = try collection.document(id: id) else { return }
        if try !collection.purgeIfUnsent(id: id) { try collection.deleteRecord(document) }
    }

    /// - Returns: false if another process has changed it.
    private func save(
        _ document: MutableDocument, over present: Document?, record: Record, by author: Author
    ) throws -> Bool {
        try collection.database.inBatch {
            // A sync may have brought the deletion since the record was read.
            try InspectionTies.check(record, among: inspections)
            guard try journal.save(document, over: present, of: Record.kind, in: collection) else { return false }
            if let finding = record as? Finding { try stampInspection(of: finding, by: author) }
            return true
        }
    }

    /// Work on a finding is work on its inspection: a deletion of the inspection elsewhere meets it as an edit, which
    /// beats the deletion. One edit that waits to be sent is enough.
    private func stampInspection(of finding: Finding, by author: Author) throws {
        guard let id = finding.inspection, let exchange = try inspections.exchange(of: id), exchange.isSent,
            let document = try inspections.document(id: id)
        else { return }
        var body = document.body
        guard body["status"]?.stringValue.flatMap({ Inspection.Status(exactly: $0) })?.isOpen == true else { return }
        author.stamp(&body)
        // Within one second of the last mark nothing would be another, and the deletion would meet no edit.
        if body == document.body { author.later(by: 1).stamp(&body) }
        let stamped = document.toMutable()
        stamped.setBody(body)
        _ = try journal.save(stamped, over: document, of: .inspection, in: inspections)
    }
}

/// The purpose of an edit.
enum EditPurpose {
    /// The person gives fields the values that they are to have.
    case decision
    /// The user sets back changes by others, and may take that back, or do it again. Removed answers get no note: notes for
    /// thousands of answers that another user had added would make the record too large for the gateway.
    case restoring
}

/// The records of a collection.
public struct RecordList<Record: FieldRecord>: Sendable {
    public internal(set) var records: [Record] = []
    /// Documents of the collection that are no records of this kind, or of a newer version.
    public internal(set) var unreadable: [RecordError] = []

    public init() {}
}
