import FieldModels
import FieldRecords

/// Changes a record.
struct EditCommand {
    let session: ShellSession

    func run(_ text: String, values: [FieldValue]) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: RecordKind.allCases)
        if let mended = try DamagedRecordEdit(session: session).mend(reference, values: values) { return mended }
        let field = try session.field()
        switch reference.kind {
        case .site:
            return try RecordEdit(session: session, records: field.sites, reference: reference, values: values).run()
        case .inspection: return try InspectionEdit(session: session, reference: reference).edit(values)
        case .finding: return try FindingEdit(session: session, reference: reference).edit(values)
        case .assignment: return try AssignmentEdit(session: session, reference: reference).edit(values)
        case .response: return try ResponseEdit(session: session, reference: reference).edit(values)
        case .form: throw UsageError("Forms are imported, not edited.", hint: "Use: import forms.jsonl")
        }
    }
}
