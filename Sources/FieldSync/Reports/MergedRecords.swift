import DocumentValues
import FieldModels
import FieldRecords

/// The results for records that had been changed on both sides.
struct MergedRecords {
    private let field: FieldDatabase
    private let wording: any SyncWording
    private let user: String?

    init(_ environment: SyncEnvironment) throws {
        user = try environment.author().name
        field = environment.field
        wording = environment.wording
    }

    func all(_ references: [RecordReference]) throws -> [MergedRecord] {
        // Whether the user may be a supervisor is looked up in all records: once for all that were merged.
        var questions = OpenQuestions(of: user, in: field.store)
        return try references.map { try merged($0, questions: &questions) }
    }

    private func merged(_ reference: RecordReference, questions: inout OpenQuestions) throws -> MergedRecord {
        let title = try TitleWithSite(field.deletions).title(reference)
        func record(
            _ outcome: MergedRecord.Outcome, subjects: String = "", lines: [String] = []
        ) -> MergedRecord {
            MergedRecord(reference: reference, title: title, outcome: outcome, subjects: subjects, lines: lines)
        }
        guard try field.store.isThere(reference.kind, id: reference.id) else {
            return record(.deleted)
        }
        guard let conflict = try field.conflicts.conflict(of: reference.kind, reference.id),
            let asked = try questions.about(conflict)
        else { return record(try isDoneByOthers(reference) ? .doneByOthers : .united) }
        let text = try wording.contested(asked)
        return record(.contested, subjects: text.subjects, lines: text.lines)
    }

    /// Whether an assignment was given to another user, who has closed it.
    private func isDoneByOthers(_ reference: RecordReference) throws -> Bool {
        guard reference.kind == .assignment, let user,
            let assignment = try field.assignments.findReadable(reference.id), assignment.status == .done
        else { return false }
        let people = [assignment.inspector, assignment.envelope.createdBy].compactMap(\.self)
        return !people.contains { $0.isExactly(user) }
    }
}
