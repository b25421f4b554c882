import DocumentValues
import FieldModels
import FieldRecords

/// The answers of an inspection in the order of its form's questions, and behind them those that the form does not ask for.
struct ShownAnswers {
    /// A label, and the answer.
    let rows: [(String, String?)]

    init(_ inspection: Inspection, form: FormDefinition?) {
        let answers = inspection.answers
        let closed = Set((form.map { FormCheck.closed(in: $0, answers: answers) } ?? []).map { Name($0.name) })
        let problems = (form.map { FormCheck.problems(of: answers, in: $0) } ?? []).map { (Name($0.field), $0.message) }
        let wrong = Dictionary(problems, uniquingKeysWith: { first, _ in first })
        let questions = form?.fields ?? []
        let asked: [(String, String?)] = questions.compactMap { question in
            guard let answer = answers[question.name] else { return nil }
            let name = Name(question.name)
            let label = closed.contains(name) ? question.labelWhereClosed : question.label
            return (label, answer.cell.map { cell in wrong[name].map { "\(cell) (wrong: it \($0))" } ?? cell })
        }
        let known = Set(questions.map { Name($0.name) })
        let others: [(String, String?)] = answers.compactMap { member in
            known.contains(Name(member.key)) ? nil : (member.key, member.value.cell)
        }
        rows = asked + others
    }
}
