import DocumentValues
import FormLogic

/// Reads the choices of a `select_multiple`, in the order in which the person names them.
struct SelectMultipleReader {
    let matching: ChoiceMatching
    /// The names of the present answer.
    let present: [Name]

    private var choices: [OfferedChoice] { matching.index.choices }

    /// - Throws: `AnswerRefusal` where a part of the line means no choice, or several.
    func read(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        guard !choices.isEmpty else { throw .noChoiceOffered }
        switch matching.match(text) {
        case .one, .several: break
        case .none:
            let folded = FoldedText.of(text)
            if Self.all.contains(where: { $0.isExactly(folded) }) { return outcome(choices.map(\.name), start: []) }
            if Self.none.contains(where: { $0.isExactly(folded) }) { return .cleared }
        }
        return try listed(text)
    }

    private static let all = ["all", "alle", "tout", "tous", "toutes", "todo", "todos", "todas"]
    private static let none = ["none", "keine", "aucun", "aucune", "ninguno", "ninguna", "nenhum", "nenhuma"]

    private func listed(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        let tokens: [ChoiceTokens.Token]
        do throws(AnswerRefusal) {
            tokens = try ChoiceTokens(text, matching: matching).tokens
        } catch {
            guard case .several(let found) = matching.match(text), found.count <= EntryLimits.clarified else {
                throw error
            }
            return .question(
                Clarification(
                    between: found.map {
                        Clarification.Meaning(matching.text($0), answer: .names([choices[$0].name]))
                    }))
        }
        guard !tokens.isEmpty else { throw matching.refusal(text) }
        let changes = tokens.contains { $0.change != .chosen }
        guard !changes || tokens.allSatisfy({ $0.change != .chosen }) else { throw .mixedChanges }
        let removed = Set(names(tokens.filter { $0.change == .removed }))
        let kept = changes ? present.filter { !removed.contains($0) } : []
        return outcome(names(tokens.filter { $0.change != .removed }), start: kept)
    }

    private func names(_ tokens: [ChoiceTokens.Token]) -> [Name] {
        tokens.flatMap { $0.choices.map { choices[$0].name } }
    }

    private func outcome(_ added: [Name], start: [Name]) -> AnswerOutcome {
        var (names, seen) = (start, Set(start))
        for name in added where seen.insert(name).inserted { names.append(name) }
        guard !names.isEmpty else { return .cleared }
        let isRepeated = Set(added).count < added.count
        return .answer(.names(names), notes: isRepeated ? [.repeatedChoices] : [])
    }
}
