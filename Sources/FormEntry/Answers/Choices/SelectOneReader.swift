import DocumentValues
import FormLogic

/// Reads the choice of a `select_one`.
struct SelectOneReader {
    let matching: ChoiceMatching

    /// - Throws: `AnswerRefusal` where no choice is meant, or too many may be.
    func read(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        switch matching.match(text) {
        case .one(let choice): return .answer(answer(choice), notes: [])
        case .several(let choices) where choices.count <= EntryLimits.clarified:
            return .question(
                Clarification(
                    between: choices.map { Clarification.Meaning(matching.text($0), answer: answer($0)) }))
        case .several(let choices): throw matching.refusal(text, several: choices)
        case .none: throw matching.refusal(text)
        }
    }

    private func answer(_ choice: Int) -> Answer { .text(matching.index.choices[choice].name.text) }
}
