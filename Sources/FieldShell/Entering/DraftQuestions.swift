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

    /// Gives the record an answer.
    ///
    /// - Returns: false if the record does not take it; the reason is then on the screen.
    func answer(_ field: EditableField<Record>, with given: GivenAnswer) throws -> Bool {
        do {
            try draft.change(field, to: given)
            return true
        } catch let error as RecordError {
            session.dialogue.show(ErrorText.problems(error, at: field.question).printable)
        } catch let error as ChangedMeanwhile {
            session.dialogue.show(error.question.printable)
        }
        return false
    }

    /// Shows all answers, by number.
    func showAnswers(to fields: [EditableField<Record>]) {
        AnswerOverview.lines(draft.record, fields: fields).forEach(session.dialogue.show)
    }

    /// The question of a typed number or name; `nil`, with a line on the screen, if there is none.
    func find(_ text: String, among fields: [EditableField<Record>]) -> EditableField<Record>? {
        let found = AnswerOverview.find(text, among: fields)
        if found == nil { session.dialogue.show("There is no question '\(text)'. See them with :all".printable) }
        return found
    }
}

extension ShellSession {
    var questions: Questions { Questions(dialogue: dialogue, today: environment.today()) }
}
