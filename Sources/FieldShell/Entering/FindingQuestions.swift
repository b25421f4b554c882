import DocumentValues
import FieldModels
import FieldRecords

/// Asks for the findings of an inspection until an empty line. The text is saved before its risk is asked for.
struct FindingQuestions {
    let session: ShellSession

    /// - Returns: how many were added.
    func ask(about inspection: Inspection) throws -> Int {
        var count = 0
        // The text of a finding that could not be saved.
        var unsaved: WrittenText?
        while true {
            var generator = SystemRandomNumberGenerator()
            let finding = inspection.newFinding(RecordIDs.make(.finding, using: &generator), text: "")
            let field = try session.field()
            let draft = RecordDraft(
                finding, in: field.findings, session: session, check: field.submissions.checkIsOpen(inspectionOf:))
            guard let text = finding.editableFields(form: nil).first(where: { $0.question.name == "text" }) else {
                return count
            }
            let question = text.labelled("Finding")
            switch try session.questions.ask(question, present: nil, written: unsaved, way: "Enter: no more") {
            case .value(let answer) where ["y", "yes", "n", "no"].contains(answer.text.lowercased()):
                unsaved = nil
                answer.written.map(session.dialogue.discard)
                session.dialogue.show("What is wrong, in a few words. Enter: no more findings.")
            case .value(let answer):
                let isSaved = try save(answer, field: text, draft: draft)
                unsaved = draft.takeUnsaved()
                guard isSaved else { continue }
                count += 1
                let questions = Interview(
                    session: session, draft: draft, skipping: ["corrected", "notes"], answered: ["text"])
                if case .stopped = try questions.run() { return count }
            case .open, .stop: return count
            case .back, .clear, .overview, .go:
                unsaved = nil
                session.dialogue.show("Enter ends the findings; then edit changes each of them.")
            }
        }
    }

    private func save(
        _ answer: GivenAnswer, field: EditableField<Finding>, draft: RecordDraft<Finding>
    ) throws -> Bool {
        do {
            try draft.change(field, to: answer)
            return true
        } catch let error as RecordError {
            session.dialogue.show(ErrorText.problems(error, at: field.question).printable)
            return false
        }
    }
}

extension Inspection {
    /// A finding of this inspection.
    func newFinding(_ id: String, text: String) -> Finding {
        Finding(id: id, inspection: self.id, site: site, date: date, text: text, district: district ?? .unknown)
    }

    /// The questions that must be answered before it can be handed in.
    func openQuestions(_ form: FormDefinition?) -> [String] {
        let asked = form.map { FormCheck.missing(in: answers, of: $0) } ?? []
        return (isVisitOpen ? ["Visit"] : []) + asked.map(\.label)
    }

    /// A line that names the questions that must be answered before it can be handed in; empty if there are none.
    func stillOpen(_ form: FormDefinition?) -> String {
        let open = openQuestions(form)
        return open.isEmpty ? "" : "Still to answer: " + open.joined(separator: ", ") + "\n"
    }
}
