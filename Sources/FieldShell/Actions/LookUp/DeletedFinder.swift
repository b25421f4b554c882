import DocumentValues
import FieldModels
import FieldRecords

/// Finds a record that was deleted, here or by others, or is hidden with one: by its number in the last list, by its id or a
/// beginning of it.
struct DeletedFinder {
    let session: ShellSession

    /// `nil` where there is none.
    func find(_ text: String) throws -> DeletedRecord? {
        let records = try Self.all(in: session.field())
        if let number = RowNumber(text) {
            guard let listed = session.shown.list[number] else { return nil }
            return records.first { $0.reference == listed }
        }
        switch NamedItem(text, among: records, ids: { ($0.id, $0.reference.shortID) }) {
        case .none: return nil
        case .one(let record): return record
        case .several(let count):
            throw UsageError("'\(text)' fits \(count) deleted records.", hint: "See them: list --deleted")
        }
    }

    /// The deleted records, and those that are hidden by a deletion.
    static func all(in field: FieldDatabase) throws -> [DeletedRecord] {
        let deleted = try field.deletions.all()
        return try deleted + field.deletions.hiddenFindings(with: deleted)
    }
}
