import FieldModels
import FieldRecords

/// What became of records that had been changed on both sides.
struct MergedRecords {
    private let field: FieldDatabase
    private let wording: any SyncWording
    private let user: String?

    init(_ environment: SyncEnvironment) throws {
        user = try environment.author().name
        field = environment.field
        wording = environment.wording
    }

    func all(_ references: [RecordReference]) throws -> [MergedRecord] { try references.map(merged) }

    private func merged(_ reference: RecordReference) throws -> MergedRecord {
        let title = try TitleWithSite(field).title(reference)
        func record(
            _ outcome: MergedRecord.Outcome, subjects: String = "", lines: [String] = []
        ) -> MergedRecord {
            MergedRecord(reference: reference, title: title, outcome: outcome, subjects: subjects, lines: lines)
        }
        guard try field.isThere(reference.kind, id: reference.id) else {
            return record(.deleted)
        }
        guard let conflict = try field.conflict(of: reference.kind, reference.id, for: user) else {
            return record(.united)
        }
        let text = try wording.contested(conflict)
        return record(.contested, subjects: text.subjects, lines: text.lines)
    }
}
