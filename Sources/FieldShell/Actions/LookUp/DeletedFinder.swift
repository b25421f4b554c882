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
        if Self.isNumber(text) {
            guard let listed = Int(text).flatMap({ session.shown.list[$0] }) else { return nil }
            return records.first { $0.reference == listed }
        }
        let whole = records.filter { $0.id.isExactly(text) || $0.reference.shortID.isExactly(text) }
        let found =
            whole.isEmpty && !text.isEmpty
            ? records.filter { RecordFinder.abbreviates(text, id: $0.reference.shortID) } : whole
        guard found.count > 1 else { return found.first }
        throw UsageError("'\(text)' fits \(found.count) deleted records.", hint: "See them: list --deleted")
    }

    /// The deleted records, and those that are hidden by a deletion.
    static func all(in field: FieldDatabase) throws -> [DeletedRecord] {
        let deleted = try field.deletions.all()
        return try deleted + field.deletions.hiddenFindings(with: deleted)
    }

    static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
