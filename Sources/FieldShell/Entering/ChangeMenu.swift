import DocumentValues
import FieldModels
import FieldRecords

/// Changes the answers of a record by their numbers until an empty line; each change is saved at once.
struct ChangeMenu<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>

    func run() throws {
        overview()
        while let text = try session.questions.line("Change number (Enter: done, ?: list): ") {
            switch AnswerLine(text) {
            case .skip, .stop, .back: return
            case .explain, .overview: overview()
            case .go(let name), .answer(let name): try choose(name)
            case .clear, .editor, .add, .unknown: showRange()
            }
        }
    }

    private func choose(_ name: String) throws {
        var wanted = AnswerOverview.find(name, among: fields)
        if wanted == nil { showRange() }
        while let field = wanted {
            let numbered = fields.map(\.name)
            wanted = try change(field)
            // An answer opens and closes questions: the numbers that are on the screen are others' then.
            if fields.map(\.name) != numbered { overview() }
        }
    }

    private func showRange() {
        session.dialogue.show(Questions.range(upTo: fields.count))
        guard Record.kind == .inspection else { return }
        let id = RecordReference.short(draft.record.id, kind: .inspection)
        session.dialogue.show("A finding is no answer of it; Enter, then: new finding \(id)".printable)
    }

    private var fields: [EditableField<Record>] { draft.record.editableFields(form: draft.form) }

    private var questions: DraftQuestions<Record> { DraftQuestions(session: session, draft: draft) }

    private func overview() { questions.showAnswers(to: fields) }

    /// - Returns: the question to go to.
    private func change(_ field: EditableField<Record>) throws -> EditableField<Record>? {
        while true {
            let given: GivenAnswer
            switch try questions.ask(field) {
            case .value(let answer): given = answer
            case .clear: given = .cleared
            case .overview:
                overview()
                continue
            case .go(let text):
                if let next = questions.find(text, among: fields) { return next }
                continue
            case .open, .stop, .back: return nil
            }
            if try questions.answer(field, with: given) { return nil }
        }
    }
}
