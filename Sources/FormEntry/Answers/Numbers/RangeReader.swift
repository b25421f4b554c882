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
        guard let suggested else {
            let ends = [scale.value(at: 0), scale.value(at: scale.last)].sorted().map { scale.text($0) }
            throw .outsideRange(text, from: ends[0], to: ends[1])
        }
        return .question(
            Clarification(between: suggested.map { Clarification.Meaning(scale.text($0), answer: .number($0)) }))
    }

    private func tick(_ text: String) throws(AnswerRefusal) -> Double? {
        guard case .one(let index) = ChoiceMatching(ticks).match(FoldedText.of(text)) else { return nil }
        return Double(ticks.choices[index].name.text).flatMap { scale.value(like: $0) }
    }
}
