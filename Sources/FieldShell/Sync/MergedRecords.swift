import FieldModels
import FieldRecords

/// What became of records that had been changed on both sides.
struct MergedRecords {
    private let session: ShellSession
    private let field: FieldDatabase

    init(_ session: ShellSession) throws {
        self.session = session
        field = try session.field()
    }

    func all(_ references: [RecordReference]) throws -> [MergedRecord] { try references.map(merged) }

    private func merged(_ reference: RecordReference) throws -> MergedRecord {
        let title = try RecordPlace(field).title(reference)
        func record(
            _ outcome: MergedRecord.Outcome, subjects: String = "", lines: [String] = []
        ) -> MergedRecord {
            MergedRecord(reference: reference, title: title, outcome: outcome, subjects: subjects, lines: lines)
        }
        guard try field.isThere(reference.kind, id: reference.id) else {
            return record(.deleted)
        }
        guard let conflict = try field.conflict(of: reference.kind, reference.id) else { return record(.united) }
        let words = try ConflictText(conflict, session: session, readsLog: false)
        return record(.contested, subjects: words.subjects, lines: words.reportLines)
    }
}
