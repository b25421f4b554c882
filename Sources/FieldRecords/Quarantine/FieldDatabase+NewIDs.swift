import DocumentStore
import DocumentValues
import FieldModels

/// New records whose id is taken at the gateway by a record that nobody here gets: they go on under another id.
///
/// No two laptops make the same id by chance (``RecordIDs``). But who sees a finding knows the id of its inspection, perhaps before
/// that has arrived with its photos, and may make another record of it.
extension FieldDatabase {
    /// Gives a record that no gateway has another id, and has what refers to it refer to that.
    ///
    /// - Throws: `RecordActionError` where it is not there, or a gateway has it by now.
    public func sendUnderNewID(_ record: RefusedRecord, by author: Author) throws -> RecordReference {
        var generator = SystemRandomNumberGenerator()
        guard let kind = record.kind else { throw RecordActionError(.notFound, kind: nil, id: record.documentID) }
        let renamed = RecordReference(kind, id: RecordIDs.make(kind, using: &generator))
        try database.inBatch {
            let collection = collection(of: kind)
            guard let document = try collection.document(id: record.documentID),
                try collection.exchange(of: record.documentID)?.isKnownToRemotes == false
            else { throw RecordActionError(.notFound, kind: kind, id: record.documentID) }
            try collection.save(bodies: [(renamed.id, document.body.bytes)])
            try lead(from: record.documentID, to: renamed, by: author)
            try collection.purge(id: record.documentID)
        }
        return renamed
    }

    private func lead(from old: String, to renamed: RecordReference, by author: Author) throws {
        let new = renamed.id
        switch renamed.kind {
        case .site:
            try lead(inspections, member: \.site, from: old, to: new, by: author)
            try lead(findings, member: \.site, from: old, to: new, by: author)
            try lead(assignments, member: \.site, from: old, to: new, by: author)
        case .inspection:
            try lead(findings, member: \.inspection, from: old, to: new, by: author)
            try lead(assignments, member: \.inspection, from: old, to: new, by: author)
        case .assignment: try lead(inspections, member: \.assignment, from: old, to: new, by: author)
        case .form: try lead(inspections, member: \.form, from: old, to: new, by: author)
        case .finding: break
        }
    }

    private func lead<Record: FieldRecord, Value: ComparedExactly>(
        _ records: RecordRepository<Record>, member: WritableKeyPath<Record, Value>, from old: Value, to new: Value,
        by author: Author
    ) throws {
        for record in try records.all().records where record[keyPath: member].isExactly(old) {
            try records.update(record.id, by: author) { $0[keyPath: member] = new }
        }
    }
}
