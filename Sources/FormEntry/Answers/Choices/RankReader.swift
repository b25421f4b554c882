import DocumentValues
import FormLogic

/// Reads an order of all choices, best first. Those that are not named keep their order behind the others.
struct RankReader {
    let matching: ChoiceMatching
    /// The names of the present answer.
    let present: [Name]

    private var index: ChoiceIndex { matching.index }

    /// - Throws: `AnswerRefusal` where a part of the line means no choice, several, or one that was named before.
    func read(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        guard !index.choices.isEmpty else { throw .noChoiceOffered }
        let tokens = try ChoiceTokens(text, matching: matching).tokens
        guard tokens.allSatisfy({ $0.change == .chosen }) else { throw .changedRank }
        var (order, seen): ([Int], Set<Name>) = ([], [])
        for choice in tokens.flatMap(\.choices) {
            guard seen.insert(index.choices[choice].name).inserted else { throw .repeatedRank(matching.text(choice)) }
            order.append(choice)
        }
        guard !order.isEmpty else { throw matching.refusal(text) }
        let named = order.count
        for choice in present.compactMap({ index.index(of: $0) }) + Array(index.choices.indices)
        where seen.insert(index.choices[choice].name).inserted {
            order.append(choice)
        }
        let answer = Answer.names(order.map { index.choices[$0].name })
        return named == order.count ? .answer(answer, notes: []) : .question(consent(to: answer, order: order))
    }

    private func consent(to answer: Answer, order: [Int]) -> Clarification {
        let further = order.count - EntryLimits.clarified
        let shown = order.prefix(EntryLimits.clarified).map { matching.text($0) }.joined(separator: ", ")
        let text = further > 0 ? "\(shown) and \(further) more" : shown
        return .consent(to: text, answer: answer, question: "In this order: \(text)?")
    }
}
