import DocumentStore
import DocumentValues
import FieldModels

/// Who makes a change, when, and on which device.
public struct Author: Sendable, Hashable {
    @Exact public var name: String?
    public var moment: Timestamp
    /// The name that the folder's settings have for it; `nil` where nobody needs to distinguish devices.
    @Exact public var device: String?

    public init(name: String?, moment: Timestamp, device: String? = nil) {
        self.name = name
        self.moment = moment
        self.device = device
    }

    /// Notes in the body of a record that this author changed it last.
    func stamp(_ body: inout JSONObject) {
        body["changedBy"] = name.map { .string($0) }
        body["changedAt"] = .string(moment.description)
        body["device"] = device.map { .string($0) }
    }
}

/// The records of one kind, as typed values over their collection.
public struct RecordRepository<Record: FieldRecord>: Sendable {
    let collection: Collection
    let journal: ChangeJournal
    /// Of the same folder: a finding goes with its inspection.
    let inspections: Collection

    public var count: Int { Int(collection.count) }

    /// `nil` if there is no such record.
    ///
    /// - Throws: `RecordError` if the document is none that this program can read.
    public func find(_ id: String) throws -> Record? {
        guard let stored = try collection.bodies(of: [id])[0], !stored.isDeleted else { return nil }
        return try Record(id: id, body: stored.body)
    }

    /// Every record in the order of the ids, and what is among them but cannot be read. Findings of deleted inspections
    /// are not among them: see ``InspectionTies``.
    public func all() throws -> RecordList<Record> {
        var list = RecordList<Record>()
        let ties = try InspectionTies<Record>(inspections)
        try collection.forEachBody { id, json in
            do {
                let record = try Record(id: id, body: json)
                if !ties.hides(record) { list.records.append(record) }
            } catch let error as RecordError {
                list.unreadable.append(error)
            }
        }
        return list
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

    /// Changes a record as it is now, whatever a sync may have brought since somebody looked at it.
    ///
    /// - Throws: `RecordError` naming every field at fault; `RecordActionError` for a finding that no list shows, since its
    ///   inspection is deleted. Nothing is saved then.
    @discardableResult
    public func update(_ id: String, by author: Author, change: (inout Record) throws -> Void) throws -> Record {
        while true {
            let edit = try edited(id, by: author, change: change)
            guard let changed = edit.changed else { return edit.record }
            if try save(changed, over: edit.present, record: edit.record, by: author) { return edit.record }
        }
    }

    /// Changes a record as ``update(_:by:change:)`` does, without a place in the journal: what follows from a sync is no
    /// command that somebody could take back.
    ///
    /// - Returns: false where there is nothing to change.
    func amend(_ id: String, by author: Author, change: (inout Record) -> Void) throws -> Bool {
        while true {
            guard let changed = try edited(id, by: author, change: change).changed else { return false }
            if try collection.save(document: changed, concurrencyControl: .failOnConflict) { return true }
        }
    }

    private typealias Edit = (record: Record, present: Document, changed: MutableDocument?)

    /// - Returns: the document to be saved; `nil` where the change changes nothing.
    private func edited(_ id: String, by author: Author, change: (inout Record) throws -> Void) throws -> Edit {
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
        try record.validate(over: before)
        let changed = document.toMutable()
        changed.setBody(record.object)
        return (record, document, changed)
    }

    /// Deletes a record everywhere, with the next sync. Of one that never left the laptop nothing is left at once:
    /// nobody else has heard of it.
    public func delete(_ id: String) throws {
        guard let document = try collection.document(id: id) else {
            throw RecordActionError(.notFound, kind: Record.kind, id: id)
        }
        try collection.database.inBatch {
            if try !collection.purgeIfUnsent(id: id) { try collection.delete(document: document) }
            try journal.note(
                Record.kind, id: id, before: JournalRecord.Version(document),
                after: try collection.exchange(of: id)?.revision, body: nil)
        }
    }

    /// - Returns: false if somebody else has changed it.
    private func save(
        _ document: MutableDocument, over present: Document?, record: Record, by author: Author
    ) throws -> Bool {
        var isSaved = false
        try collection.database.inBatch {
            // A sync may have brought the deletion since the record was read.
            try InspectionTies.check(record, among: inspections)
            isSaved = try journal.save(document, over: present, of: Record.kind, in: collection)
            if isSaved, let finding = record as? Finding { try stampInspection(of: finding, by: author) }
        }
        return isSaved
    }

    /// Work on a finding is work on its inspection: a deletion of the inspection elsewhere meets it as an edit, which
    /// beats the deletion. One edit that waits to be sent is enough.
    private func stampInspection(of finding: Finding, by author: Author) throws {
        guard let id = finding.inspection, let exchange = try inspections.exchange(of: id), exchange.isSent,
            let document = try inspections.document(id: id)
        else { return }
        var body = document.body
        guard body["status"]?.stringValue.flatMap({ Inspection.Status(rawValue: $0) })?.isOpen == true else { return }
        author.stamp(&body)
        let stamped = document.toMutable()
        stamped.setBody(body)
        _ = try journal.save(stamped, over: document, of: .inspection, in: inspections)
    }
}

/// What a collection holds.
public struct RecordList<Record: FieldRecord>: Sendable {
    public internal(set) var records: [Record] = []
    /// Documents of the collection that are no records of this kind, or of a newer version.
    public internal(set) var unreadable: [RecordError] = []

    public init() {}
}

/// Why something cannot be done with a record.
public struct RecordActionError: UserFacingError, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case notFound
        case exists
        /// The record is no longer the inspector's to change.
        case closed(status: String)
        /// The inspection that it is part of is no longer the inspector's to change.
        case partOfClosed(status: String, inspection: String)
        /// The inspection that it is part of is deleted.
        case partOfDeleted(inspection: String)
        /// The life cycle has no such step.
        case noSuchStep(from: String, to: String)
        /// Others refer to it.
        case inUse(by: String)
        case attachment(String)
        /// The photo's bytes are not on this laptop.
        case photoMissing(String)
        /// The photo's file on this laptop was changed or cut.
        case photoDamaged(String)
        /// A sync has brought something since somebody looked at the conflict.
        case changedMeanwhile
    }

    public let code: Code
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var id: String

    public init(_ code: Code, kind: RecordKind?, id: String) {
        self.code = code
        self.kind = kind
        self.id = id
    }

    public var description: String {
        let name = kind?.rawValue ?? "document"
        let id = kind?.shortID(of: id) ?? id
        func short(_ inspection: String) -> String { RecordKind.inspection.shortID(of: inspection) }
        return switch code {
        case .notFound: "There is no \(name) \(id)."
        case .exists: "There is a \(name) \(id) already."
        case .closed(let status):
            "The \(name) \(id) is \(status), so it can no longer be changed. A reviewer can return it to you."
        case .partOfClosed(let status, let inspection):
            "The \(name) \(id) is part of the inspection \(short(inspection)), which is \(status), so it can no longer be changed "
                + "or deleted, but for the day on which it was fixed: corrected=DAY. A reviewer can return the inspection "
                + "to you."
        case .partOfDeleted(let inspection):
            "The \(name) \(id) is part of the inspection \(short(inspection)), which is deleted, so no list shows it and it cannot be "
                + "changed. Bring the inspection back first: undo, where its deletion was the last change here; undo "
                + "\(short(inspection)), where others deleted it."
        case .noSuchStep(let from, let to): "The \(name) \(id) is \(from); it cannot become \(to)."
        case .inUse(let others): "The \(name) \(id) has \(others). Delete them first."
        case .changedMeanwhile:
            "The \(name) \(id) has changed since you looked at it. Nothing was decided; look again: conflicts"
        case .photoMissing(let photo):
            "The photo \(photo) of the \(name) \(id) is not on this laptop: its file was lost. Fetch it from the "
                + "gateway: sync --reset. If the gateway does not have it either, attach the picture again, from where "
                + "it was taken or from a laptop that has it (photo save)."
        case .photoDamaged(let photo):
            "The photo \(photo) of the \(name) \(id) is damaged on this laptop: its file was changed or cut. A file "
                + "that was cut is fetched from the gateway by sync --reset. If that does not help, attach the picture "
                + "again, from where it was taken or from a laptop that has it (photo save)."
        case .attachment(let reason): "Nothing was changed of the files of the \(name) \(id): \(reason)"
        }
    }
}
