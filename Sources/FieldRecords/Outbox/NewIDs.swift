import DocumentStore
import DocumentValues
import FieldModels

/// Records whose id is taken at the gateway by a version that the user may not read: they get another id.
///
/// No two laptops make the same id by chance (``RecordIDs``). But a user who sees a finding knows the id of its inspection,
/// perhaps before that has arrived with its photos, and may make another record with that id.
public struct NewIDs: RecordService {
    let store: RecordStore
    let changePages: ChangePages
    let reversal: ChangeReversal

    /// Gives a record that no gateway has another id, and changes the references to it. References in records of others,
    /// which came with a sync, do not change. A record that came back from the quarantine becomes the author's.
    ///
    /// - Throws: `RecordActionError` if it is not there, or a gateway has it by now.
    public func send(_ record: RefusedRecord, by author: Author) throws -> RecordReference {
        var generator = SystemRandomNumberGenerator()
        guard let kind = record.kind else { throw RecordActionError(.notFound, kind: nil, id: record.documentID) }
        let renamed = RecordReference(kind, id: RecordIDs.make(kind, using: &generator))
        try database.inBatch {
            let collection = collection(of: kind)
            guard let document = try collection.document(id: record.documentID),
                let exchange = try collection.exchange(of: record.documentID),
                exchange.isRestored || !exchange.isKnownToRemotes
            else { throw RecordActionError(.notFound, kind: kind, id: record.documentID) }
            if exchange.isRestored {
                _ = try reversal.bringBack(kind, id: renamed.id, body: document.body, by: author)
            } else {
                try collection.save(bodies: [(renamed.id, document.body.bytes)])
            }
            try repoint(references: record.documentID, to: renamed, by: author, isCommand: true)
            try collection.purge(id: record.documentID)
        }
        return renamed
    }

    /// Changes the references to a record to its new id.
    ///
    /// - Parameter isCommand: whether the user has given a command for it, so that the journal notes it.
    func repoint(references old: String, to renamed: RecordReference, by author: Author, isCommand: Bool) throws {
        let (kind, new) = (renamed.kind, renamed.id)
        let change = ReferenceChange(kind: kind, author: author, isCommand: isCommand)
        switch kind {
        case .site:
            try repoint(inspections, member: \.site, from: old, to: new, by: change)
            try repoint(findings, member: \.site, from: old, to: new, by: change)
            try repoint(assignments, member: \.site, from: old, to: new, by: change)
            try repoint(responses, member: \.site, from: old, to: new, by: change)
        case .inspection:
            try repoint(findings, member: \.inspection, from: old, to: new, by: change)
            try repoint(assignments, member: \.inspection, from: old, to: new, by: change)
        case .assignment:
            try repoint(inspections, member: \.assignment, from: old, to: new, by: change)
            try repoint(responses, member: \.assignment, from: old, to: new, by: change)
        case .response: try repoint(assignments, member: \.inspection, from: old, to: new, by: change)
        case .form: try repoint(inspections, member: \.form, from: old, to: new, by: change)
        case .finding: break
        }
    }

    /// - Parameter member: the reference.
    private func repoint<Record: FieldRecord, Value: ComparedExactly>(
        _ records: RecordRepository<Record>, member: WritableKeyPath<Record, Value>, from old: Value, to new: Value,
        by change: ReferenceChange
    ) throws {
        let author = change.author
        for record in try records.all().records where record[keyPath: member].isExactly(old) {
            guard try refersToOwn(change.kind, in: record, by: author) else { continue }
            if change.isCommand {
                try records.update(record.id, by: author) { $0[keyPath: member] = new }
            } else {
                _ = try records.amend(record.id, by: author) { $0[keyPath: member] = new }
            }
        }
    }

    /// Whether a record refers to the one that was made here. A reference that came from others means the gateway's record
    /// under the same id.
    private func refersToOwn<Record: FieldRecord>(
        _ kind: RecordKind, in record: Record, by author: Author
    ) throws -> Bool {
        // The inspection of an assignment is named by its inspector, every other reference by the record's creator.
        let owner =
            kind == .inspection
            ? RecordOwners(of: Record.kind, record.object).worker : record.envelope.createdBy
        if owner.isExactly(author.name) { return true }
        guard try collection(of: Record.kind).exchange(of: record.id)?.isSent == false else { return false }
        // A reference that the gateway does not have was made here; its member is named after the kind of the record.
        let atGateway = try gatewayBody(of: Record.kind, record.id)?[kind.rawValue]?.stringValue
        return !atGateway.isExactly(record.object[kind.rawValue]?.stringValue)
    }
}

/// References that are changed since a record got a new id.
private struct ReferenceChange {
    /// Of the record that they refer to.
    let kind: RecordKind
    let author: Author
    /// Whether the user has given a command for it, so that the journal notes it.
    let isCommand: Bool
}
