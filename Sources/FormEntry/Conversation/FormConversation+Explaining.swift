import DocumentValues
import FormLogic

extension FormConversation {
    // MARK: Help

    /// Guidance, the choices, the accepted notations, the commands.
    mutating func explain(at stop: FormStop) {
        if case .question(let node) = stop {
            if let guidance = formNode(of: node).guidanceHint {
                let text = styled(guidance, at: node)
                if !text.isEmpty { show(.help, text: text) }
            }
            if !isNote(node) {
                let question = question(at: node)
                showAllChoices(at: node)
                for line in QuestionNotations.lines(for: question, in: context) { show(.help, plain: line) }
            }
        }
        for line in TypedCommand.help { show(.help, plain: line) }
        if case .question(let node) = stop, !isNote(node) { show(.question, text: label(node)) }
        ask(at: stop)
    }

    /// Also those of a list that is too long to be shown with the question.
    private mutating func showAllChoices(at node: Record.ID) {
        guard case .select(let kind, _) = type(of: node) else { return }
        let index = question(at: node).choices
        let rows = index.choices.indices.prefix(ConversationLimits.rows)
        showRows(Array(rows), of: index, kind: kind, at: node)
        if index.choices.count > rows.count {
            show(.hint, plain: "and \(index.choices.count - rows.count) more: type a part to narrow them.")
        }
    }

    // MARK: Rules

    /// The expressions of a question, and of the groups around it, with their present values.
    mutating func explainRules(of node: Record.ID) {
        let before = lines.count
        for id in record.ancestry(of: node).dropFirst() {
            let formNode = formNode(of: id)
            if let rule = formNode.relevant { explain(rule, as: "\(title(id)) is asked if", at: id) }
        }
        let formNode = formNode(of: node)
        if let rule = formNode.required {
            if rule.isExactly("true()") {
                show(.help, plain: "required")
            } else {
                explain(rule, as: "required if", at: node)
            }
        }
        if let rule = formNode.readOnly { explain(rule, as: "not to be changed", at: node) }
        if let rule = formNode.constraint { explain(rule, as: "allowed if", at: node) }
        if let rule = formNode.calculation { explain(rule, as: "calculated", at: node) }
        if let rule = formNode.choiceFilter { explain(rule, as: "choices with", at: node) }
        if lines.count == before { show(.info, plain: "\(formNode.name) has no rules.") }
        if !isNote(node) { show(.question, text: label(node)) }
        ask(at: .question(node))
    }

    /// `allowed if: . > 0 and . <= ${people}` and below it what the answers make of it.
    private mutating func explain(_ rule: String, as title: String, at node: Record.ID) {
        var evaluator = state.evaluator
        let owner = record[node].formNode
        let values = evaluator.values(in: rule, owner: owner, at: .record(node)).map { reference, value in
            if let count = instances(of: reference, near: node) {
                return "\(named(reference)) has \(count == 1 ? "1 instance" : "\(count) instances")"
            }
            return "\(named(reference)) is \(value.isEmpty ? "without an answer" : value.onOneLine)"
        }
        var text = "\(title): \(rule.onOneLine)"
        if let result = result(of: rule, at: node) { text += "   now \(result)" }
        show(.help, plain: text)
        if !values.isEmpty {
            show(
                .help, plain: "  " + values.joined(separator: ", ").shortened(toScalars: ConversationLimits.ruleValues))
        }
    }

    /// `${people} (People)`: with the label, as far as there is one in the form.
    private func named(_ reference: String) -> String {
        guard let name = reference.droppingExactPrefix("${")?.dropLast(),
            let label = outline.nodes(named: Name(String(name))).first.flatMap({ outline[$0].node.label }),
            let text = language.pick(label)?.text.onOneLine, !text.isEmpty
        else { return reference }
        return "\(reference) (\(text.shortened(toScalars: ConversationLimits.title)))"
    }

    /// How many instances a reference such as `${point}` finds; `nil` where it is no repeat.
    private func instances(of reference: String, near node: Record.ID) -> Int? {
        guard let name = reference.droppingExactPrefix("${")?.dropLast(),
            let repeated = outline.nodes(named: Name(String(name))).first(where: { outline[$0].isRepeat })
        else { return nil }
        let around = record.ancestry(of: node).reversed().first {
            $0 != node && outline.isInside(repeated, of: record[$0].formNode)
        }
        return record.nodes(of: repeated, under: around ?? Record.root).count { record[$0].isRelevant }
    }

    /// The value of a rule; `nil` for a filter, which has one for each choice, and where `.` has no value yet.
    private func result(of rule: String, at node: Record.ID) -> String? {
        let formNode = formNode(of: node)
        if rule.isExactly(formNode.choiceFilter ?? "") { return nil }
        if rule.isExactly(formNode.constraint ?? ""), record.answer(of: node) == nil { return nil }
        var evaluator = state.evaluator
        guard let expression = try? evaluator.program.compile(rule, owner: record[node].formNode) else { return nil }
        let value = evaluator.value(of: expression, at: .record(node)).value
        let text = evaluator.state.conversions.text(value).onOneLine
        return text.isEmpty ? "empty" : text.shortened(toScalars: ConversationLimits.answer)
    }
}
