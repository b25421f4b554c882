import FieldModels
import FieldRecords

/// Decides whether a deleted record is kept.
struct DeletionDecision {
    let session: ShellSession

    func run(_ conflict: RecordConflict, by verb: DeletionVerb) throws -> Done {
        guard conflict.deletion != nil else {
            throw UsageError(
                "Nobody has deleted this record.",
                hint: try ConflictText(conflict, session: session).advice(number: session.recordPlaceholder))
        }
        try SupervisorQuestions(session: session).checkSupervises(ofDeletion: conflict)
        switch verb {
        case .delete: return try DeleteCommand(session: session).delete(RecordReference(conflict.kind, id: conflict.id))
        case .keep:
            let object = try session.field().conflicts.decide(
                conflict, choices: [:], keepsRecord: true, by: session.author())
            return Done("The \(try conflict.listedTitle(in: session.field())) is kept.", object: object)
        }
    }
}
