import DocumentValues
import FieldModels
import FieldRecords

/// Asks a record's questions one after the other. Each answer is saved before the next question.
struct Interview<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>
    /// Names of questions that are not asked: they were answered on the line, or the user may not answer them.
    var skipping: Set<Name> = []
    /// Names of questions that were answered just before: going back leads to them.
    var answered: Set<Name> = []
    /// Skips questions with a valid answer: the draft is continued.
    var asksOnlyOpen = false

    enum End {
        case complete
        /// A full stop.
        case stopped
    }

    func run() throws -> End {
        var course = Course(passed: answered)
        // The questions whose numbers are on the screen just above.
        var listed: [Name] = []
        while let field = next(&course) {
            let above = listed
            listed = []
            switch try questions.ask(field, belowListOf: above) {
            case .value(let given): try answer(field, given: given, course: &course)
            case .clear: try answer(field, given: .cleared, course: &course)
            case .open: leaveOpen(field, course: &course)
            case .stop: return .stopped
            case .back: goBack(from: field, &course)
            case .overview:
                listed = overview()
                course.numbered = listed
            case .go(let text): course.wanted = find(text, numbered: course.numbered)?.name ?? field.name
            }
        }
        return .complete
    }

    private var questions: DraftQuestions<Record> { DraftQuestions(session: session, draft: draft) }

    /// Where the questions have come to.
    private struct Course {
        var passed: Set<Name>
        /// The question to go to, before the order counts again.
        var wanted: Name?
        /// The questions as they were numbered last: an answer opens and closes others.
        var numbered: [Name]?

        mutating func pass(_ name: Name) {
            wanted = nil
            passed.insert(name)
        }
    }

    /// Those that are asked now: an answer can open or close further questions.
    private var fields: [EditableField<Record>] {
        draft.record.editableFields(form: draft.form).filter {
            !$0.isChangedByNameOnly && !skipping.contains($0.name)
        }
    }

    private func next(_ course: inout Course) -> EditableField<Record>? {
        if let wanted = course.wanted, let field = fields.first(where: { $0.name == wanted }) { return field }
        course.wanted = nil
        return fields.first { field in
            !course.passed.contains(field.name) && !(asksOnlyOpen && field.isAnswered(in: draft.record))
        }
    }

    private func answer(_ field: EditableField<Record>, given: GivenAnswer, course: inout Course) throws {
        if try questions.answer(field, with: given) { course.pass(field.name) } else { course.wanted = field.name }
    }

    /// A record cannot be without some answers; a form's required ones may stay open until it is handed in.
    private func leaveOpen(_ field: EditableField<Record>, course: inout Course) {
        if field.question.isRequired, !field.hasAnswer(in: draft.record) {
            session.dialogue.show("\(field.question.label) is needed. Ctrl-C leaves.")
            course.wanted = field.name
        } else {
            course.pass(field.name)
        }
    }

    private func goBack(from field: EditableField<Record>, _ course: inout Course) {
        let names = fields.map(\.name)
        guard let index = names.firstIndex(of: field.name), index > 0 else {
            session.dialogue.show("This is the first question.")
            course.wanted = field.name
            return
        }
        course.passed.subtract([names[index - 1], field.name])
        course.wanted = names[index - 1]
    }

    /// - Returns: the questions in the order of their numbers.
    private func overview() -> [Name] {
        let fields = self.fields
        questions.showAnswers(to: fields)
        session.dialogue.show("  To go to one of them: :go NUMBER")
        return fields.map(\.name)
    }

    /// A number is that of the list on the screen.
    private func find(_ text: String, numbered: [Name]?) -> EditableField<Record>? {
        let fields = self.fields
        if let numbered, let number = Int(text), numbered.indices.contains(number - 1) {
            if let field = fields.first(where: { $0.name == numbered[number - 1] }) { return field }
            session.dialogue.show("Question \(number) of the list is not asked any more. See the others with :all")
            return nil
        }
        return questions.find(text, among: fields)
    }
}

/// A record's questions with their answers, by number.
enum AnswerOverview {
    static func lines<Record: EditableRecord>(_ record: Record, fields: [EditableField<Record>]) -> [String] {
        let contested = RecordConflict(Record.kind, id: record.id, object: record.object)?.fields.map(\.path)
        return fields.enumerated().map { index, field in
            // An answer decides it.
            let isContested = contested?.contains(field.path) == true
            let isWrong = field.problem(in: record) != nil
            let mark = (isContested ? "  (to decide)" : "") + (isWrong ? "  (wrong)" : "")
            let answer = (field.get(record)?.cell ?? "").cut(to: ShellLimits.answerShown)
            let text = "  \(index + 1) \(field.question.label): \(answer)\(mark)".printable
            // A line of an answer such as "8 Score: 100" is no field.
            return text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n      ")
        }
    }

    /// By its number, its name, its label, or a beginning of these that only one has.
    static func find<Record: EditableRecord>(
        _ text: String, among fields: [EditableField<Record>]
    ) -> EditableField<Record>? {
        if let number = Int(text), fields.indices.contains(number - 1) { return fields[number - 1] }
        for names in [fields.map(\.question.name), fields.map(\.question.label)] {
            if let index = ChoiceMatch.index(of: text, among: names) { return fields[index] }
        }
        return nil
    }
}

extension EditableField {
    var name: Name { Name(question.name) }

    /// Whether there is nothing to be asked.
    func isAnswered(in record: Record) -> Bool { hasAnswer(in: record) && problem(in: record) == nil }

    /// An empty text is none.
    func hasAnswer(in record: Record) -> Bool {
        guard let value = get(record) else { return false }
        return value != "" && !value.isNull
    }
}
