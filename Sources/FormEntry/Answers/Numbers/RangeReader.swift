import DocumentValues
import FormLogic

/// Reads a number of a range, or the label of one of its ticks.
struct RangeReader {
    let scale: RangeScale
    let comma: CommaUse?
    /// The labels of ticks.
    let ticks: ChoiceIndex

    /// - Throws: `AnswerRefusal` for a text that is no number of the range.
    func read(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        guard let typed = TypedNumber(text) else {
            guard let number = try tick(text) else { throw .notNumber(text) }
            return .answer(.number(number), notes: [])
        }
        let meanings = typed.meanings(comma: comma).map(\.value)
        let fitting = meanings.compactMap { scale.value(like: $0) }
        if fitting.count == 1 { return .answer(.number(fitting[0]), notes: []) }
        let suggested = fitting.isEmpty ? meanings.lazy.map { scale.neighbours(of: $0) }.first { !$0.isEmpty } : fitting
        guard let suggested else { throw .outsideRange(text, from: scale.text(scale.start), to: scale.text(scale.end)) }
        return .question(
            Clarification(between: suggested.map { Clarification.Meaning(scale.text($0), answer: .number($0)) }))
    }

    private func tick(_ text: String) throws(AnswerRefusal) -> Double? {
        guard case .one(let index) = ChoiceMatching(ticks).match(FoldedText.of(text)) else { return nil }
        return Double(ticks.choices[index].name.text).flatMap { scale.value(like: $0) }
    }
}
