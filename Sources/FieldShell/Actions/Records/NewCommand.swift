import FieldModels
import FieldRecords

/// Makes a record, by the arguments of a line or by questions.
struct NewCommand {
    let session: ShellSession

    func run(_ request: NewRequest) throws -> Done {
        switch request.kind {
        case .inspection: return try NewInspection(session: session).make(request)
        case .finding: return try NewFinding(session: session).make(request)
        case .site: return try NewSite(session: session).make(request)
        case .assignment: return try NewAssignment(session: session).make(request)
        case .response: throw UsageError("A form is filled by its questions.", hint: "Use: fill FORM")
        case .form: throw UsageError("Forms are imported, not typed.", hint: "Use: import forms.jsonl")
        }
    }
}

extension RecordIDs {
    /// The id of a record that is made now.
    static func makeRandom(_ kind: RecordKind) -> String {
        var generator = SystemRandomNumberGenerator()
        return make(kind, using: &generator)
    }
}
