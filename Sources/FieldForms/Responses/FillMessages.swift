import DocumentValues
import FormLogic

/// The messages about answers that a form does not take.
package struct FillMessages {
    private var state: FormState
    private let language: FormTextLanguage

    package init(state: FormState, language: FormTextLanguage) {
        self.state = state
        self.language = language
    }

    package func problem(_ failure: AnswerFailure) -> FillProblem { problem(failure.reason, at: failure.node) }

    /// The failures of a finalisation behind the problems of the script's answers. A question of which an answer was refused
    /// has that problem only.
    package func problems(_ failures: [AnswerFailure], besides known: [FillProblem]) -> [FillProblem] {
        let named = Set(known.map { Name($0.path) })
        return known + failures.map { problem($0) }.filter { !named.contains(Name($0.path)) }
    }

    package func problem(_ reason: AnswerFailure.Reason, at node: Record.ID) -> FillProblem {
        let formNode = state.record.outline[state.record[node].formNode].node
        let path = state.record.numberedPath(of: node)
        switch reason {
        case .required:
            let text = formNode.requiredMessage.map { reading($0, at: node) }
            return FillProblem(.required, path: path, message: text ?? "This question must be answered.")
        case .constraint:
            let text = formNode.constraintMessage.map { reading($0, at: node) }
            let rule = "This answer is not allowed: \(formNode.constraint ?? "")"
            return FillProblem(.constraint, path: path, message: text ?? rule)
        case .choice(let name): return FillProblem(.choice, path: path, message: choices(without: name, at: node))
        case .unranked(let name):
            let quoted = name.text.printableLine.shortened(toScalars: FormLibraryLimits.quotedAnswer)
            return FillProblem(
                .choice, path: path, message: "must have all choices, best first; '\(quoted)' is missing")
        case .type:
            let limits = ["start", "end", "step"].compactMap { name in
                formNode.parameters[Name(name)].map { "\(name) \($0)" }
            }
            return FillProblem(
                .type, path: path, message: "must be a step of the range: \(limits.joined(separator: ", "))")
        }
    }

    private func reading(_ text: FormText, at node: Record.ID) -> String {
        var evaluator = state.evaluator
        return evaluator.styled(text, owner: state.record[node].formNode, at: .record(node), in: language).plain
    }

    private func choices(without name: Name, at node: Record.ID) -> String {
        var evaluator = state.evaluator
        let offered = evaluator.choices(of: state.record[node].formNode, at: .record(node)).map(\.name.text)
        let shown = offered.prefix(FormLibraryLimits.namedChoices).joined(separator: ", ")
        let rest = offered.count - FormLibraryLimits.namedChoices
        let quoted = name.text.printableLine.shortened(toScalars: FormLibraryLimits.quotedAnswer)
        guard !offered.isEmpty else { return "'\(quoted)' is no choice: none is offered now" }
        return "'\(quoted)' is none of its choices: \(shown)\(rest > 0 ? " and \(rest) more" : "")"
    }
}
