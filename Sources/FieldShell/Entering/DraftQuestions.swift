import DocumentValues
import FieldModels
import FieldRecords

/// Asks a record's questions.
struct DraftQuestions<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>

    /// A question about a record, with the answer that is there, or the one that Enter takes.
    ///
    /// - Parameter listed: the questions that are on the screen by number just above.
    func ask(_ field: EditableField<Record>, belowListOf listed: [Name] = []) throws -> Questions.Answer {
        let doubts = AnswerDoubts(session: session)
        let present = field.hasAnswer(in: draft.record) ? field.get(draft.record) : nil
        let preset = present == nil ? field.preset : nil
        let answer = try session.questions.ask(
            OfferedDistricts(session: session).offering(field), present: present ?? preset.map(JSONValue.string),
            written: draft.takeUnsaved(),
            doubt: {
                try doubts.doubtAboutRow($0, for: field, of: draft, listed: listed)
                    ?? doubts.doubt(about: $0, for: field, of: draft.record)
            })
        if let preset, case .open = answer { return .value(GivenAnswer(text: preset)) }
        guard case .clear = answer, field.namesUser, !field.question.isRequired, let name = present?.stringValue else {
            return answer
        }
        // No user is responsible for a record without its inspector.
        let question = "\(field.question.label) is nobody then, instead of \(name). Sure? y or n"
        return try session.questions.confirm(question.printable) ? answer : .open
    }
}

extension ShellSession {
    var questions: Questions { Questions(dialogue: dialogue, today: environment.today()) }
}
