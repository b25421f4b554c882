import DocumentValues
import FieldModels
import FieldRecords

/// Finds a record of the outbox by the name that the user typed.
struct OutboxFinder {
    let session: ShellSession

    /// By its number in the outbox, by the record's id, or by a beginning of that.
    func find(_ text: String) throws -> RefusedRecord {
        let records = try session.field().outbox.all()
        if let number = Int64(text), let record = records.first(where: { $0.number == number }) { return record }
        // Changed, sent and refused again it has another number than the list on the screen.
        if let listed = Int64(text).flatMap({ session.shown.outboxNumbers[$0] }),
            let record = records.first(where: { $0.kind == listed.kind && $0.documentID.isExactly(listed.id) })
        {
            return record
        }
        // A number that no record has is none of its id either.
        if Int64(text) == nil,
            case .one(let record) = NamedItem(text, among: records, ids: { ($0.documentID, $0.shortID) })
        {
            return record
        }
        throw UnknownNumber.error(
            text, list: "in the outbox", rows: UnknownNumber.listed(records.map(\.number)),
            hint: records.isEmpty ? nil : "See them: outbox")
    }
}
