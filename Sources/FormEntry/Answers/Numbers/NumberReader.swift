import DocumentValues
import FormLogic

/// Reads integers and decimals.
struct NumberReader {
    let comma: CommaUse?

    /// - Throws: `AnswerRefusal` for a text that is no whole number, or one that is too long.
    func integer(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        guard let typed = TypedNumber(text) else { throw .notWhole(text) }
        let meanings = typed.wholeMeanings(comma: comma)
        guard let first = meanings.first else { throw .notWhole(text) }
        for meaning in meanings where meaning.wholeDigits > EntryLimits.integerDigits { throw .tooManyDigits }
        if typed.isWholeByPoint {
            return .question(Clarification.consent(to: first.text, answer: .number(first.value)))
        }
        return outcome(meanings)
    }

    /// - Throws: `AnswerRefusal` for a text that is no number, or one that is too long.
    func decimal(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        guard let typed = TypedNumber(text) else { throw .notNumber(text) }
        let meanings = typed.meanings(comma: comma)
        for meaning in meanings where meaning.text.utf8.count > EntryLimits.decimalCharacters {
            throw .tooManyCharacters
        }
        return outcome(meanings)
    }

    private func outcome(_ meanings: [PlainNumber]) -> AnswerOutcome {
        if meanings.count == 1 { return .answer(.number(meanings[0].value), notes: []) }
        return .question(
            Clarification(between: meanings.map { Clarification.Meaning($0.text, answer: .number($0.value)) }))
    }
}
