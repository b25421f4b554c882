import DocumentValues
import FieldModels
import FieldRecords

extension ShellSession {
    var questions: Questions { Questions(dialogue: dialogue, today: environment.today()) }

    /// A question about a record, with the answer that is there, or the one that Enter takes.
    ///
    /// - Parameter listed: the questions that are on the screen by number just above.
    func ask<Record: EditableRecord>(
        _ field: EditableField<Record>, about draft: RecordDraft<Record>, belowListOf listed: [Name] = []
    ) throws -> Questions.Answer {
        let present = field.hasAnswer(in: draft.record) ? field.get(draft.record) : nil
        let preset = present == nil ? field.preset : nil
        let answer = try questions.ask(
            offering(field), present: present ?? preset.map(JSONValue.string), written: draft.takeUnsaved(),
            doubt: { [self] in
                try rowDoubt(about: $0, for: field, of: draft, listed: listed)
                    ?? doubt(about: $0, for: field, of: draft.record)
            })
        if let preset, case .open = answer { return .value(GivenAnswer(text: preset)) }
        guard case .clear = answer, field.namesUser, !field.question.isRequired, let name = present?.stringValue else {
            return answer
        }
        // No user is responsible for a record without its inspector.
        let question = "\(field.question.label) is nobody then, instead of \(name). Sure? y or n"
        return try questions.confirm(question.printable) ? answer : .open
    }
}
