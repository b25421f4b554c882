import DocumentValues
import FieldModels
import FieldRecords

/// Changes the answers of a record by their numbers until an empty line; each change is saved at once.
struct ChangeMenu<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>

    func run() throws {
        overview()
        while let text = try session.questions.line("Change number (Enter: done, ?: list): "), !text.isEmpty {
            if text == "?" {
                overview()
            } else if let field = AnswerOverview.find(text, among: fields) {
                let numbered = fields.map(\.name)
                try change(field)
                // An answer opens and closes questions: the numbers that are on the screen are others' then.
                if fields.map(\.name) != numbered { overview() }
            } else {
                session.dialogue.show("A number from 1 to \(fields.count), please.")
            }
        }
    }

    private var fields: [EditableField<Record>] { draft.record.editableFields(form: draft.form) }

    private func overview() { AnswerOverview.lines(draft.record, fields: fields).forEach(session.dialogue.show) }

    private func change(_ field: EditableField<Record>) throws {
        while true {
            let given: GivenAnswer
            switch try session.ask(field, about: draft) {
            case .value(let answer): given = answer
            case .clear: given = .cleared
            case .open, .stop, .back, .overview, .go: return
            }
            do {
                return try draft.change(field, to: given)
            } catch let error as RecordError {
                session.dialogue.show(ErrorText.problems(error, at: field.question).printable)
            } catch let error as ChangedMeanwhile {
                session.dialogue.show(error.question.printable)
            }
        }
    }
}
