import DocumentValues

/// Why an answer, or its absence, keeps a record from being finalised.
package struct AnswerFailure: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case required
        /// The type does not have it: no step of a range.
        case type
        /// No choice that is offered; the name.
        case choice(Name)
        /// A rank lacks a choice that is offered now: the first such name.
        case unranked(Name)
        case constraint
    }

    package let node: Record.ID
    package let reason: Reason
}

extension FormState {
    /// All failures in document order: of relevant questions that a person sees. Reports block nothing.
    package mutating func failures() -> [AnswerFailure] {
        var found: [AnswerFailure] = []
        var open = [Record.root]
        while let node = open.popLast() {
            guard record[node].isRelevant else { continue }
            guard let type = outline[record[node].formNode].type else {
                open += record.children(of: node).reversed()
                continue
            }
            guard type.isVisible else { continue }
            if let reason = failure(of: record.answer(of: node), at: node) {
                found.append(AnswerFailure(node: node, reason: reason))
            }
        }
        return found
    }

    /// Whether a question has to be answered now.
    package mutating func isRequired(_ node: Record.ID) -> Bool {
        holds(program.rules[record[node].formNode].required, of: .required, at: node)
    }

    /// Whether a question, or a group around it, is shown without being asked.
    package mutating func isReadOnly(_ node: Record.ID) -> Bool {
        record.ancestry(of: node).contains { holds(program.rules[record[$0].formNode].readOnly, of: .readOnly, at: $0) }
    }

    /// A rule that reports is false.
    private mutating func holds(_ rule: FormExpression?, of kind: FormProgram.Rule, at node: Record.ID) -> Bool {
        guard let rule else { return false }
        let result = evaluator.boolean(of: rule, at: .record(node))
        keep(result.reports, of: kind, at: node)
        return result.value && result.reports.isEmpty
    }

    /// Why an answer cannot be taken; asked before it is stored, too.
    package mutating func failure(of answer: Answer?, at node: Record.ID) -> AnswerFailure.Reason? {
        guard let answer else { return isRequired(node) ? .required : nil }
        let formNode = record[node].formNode
        if !RangeSteps.admits(answer, node: outline[formNode].node) { return .type }
        if let name = missingChoice(answer, at: node) { return .choice(name) }
        if let name = unrankedChoice(answer, at: node) { return .unranked(name) }
        guard let rule = program.rules[formNode].constraint else { return nil }
        evaluator.candidate = (node, answer)
        defer { evaluator.candidate = nil }
        let result = evaluator.boolean(of: rule, at: .record(node))
        keep(result.reports, of: .constraint, at: node)
        return result.value || !result.reports.isEmpty ? nil : .constraint
    }

    private mutating func missingChoice(_ answer: Answer, at node: Record.ID) -> Name? {
        guard case .select = outline[record[node].formNode].type else { return nil }
        let names: [Name] =
            switch answer {
            case .names(let names): names
            default: [Name(answer.text)]
            }
        for name in names {
            let choice = evaluator.choice(name, of: record[node].formNode, at: .record(node))
            let reports = evaluator.state.takeReports()
            if choice == nil, reports.isEmpty { return name }
        }
        return nil
    }

    /// A rank has all choices: those that came to be offered behind the answer are missing in it.
    private mutating func unrankedChoice(_ answer: Answer, at node: Record.ID) -> Name? {
        let formNode = record[node].formNode
        guard case .select(.rank, _) = outline[formNode].type, case .names(let names) = answer else { return nil }
        let ranked = Set(names)
        let missing = evaluator.choices(of: formNode, at: .record(node)).first { !ranked.contains($0.name) }
        return evaluator.state.takeReports().isEmpty ? missing?.name : nil
    }
}

/// The numbers that a range has.
package enum RangeSteps {
    package static func admits(_ answer: Answer, node: FormNode) -> Bool {
        guard node.type == .plain(.range), case .number(let value) = answer else { return true }
        let start = parameter("start", of: node, otherwise: 1)
        let end = parameter("end", of: node, otherwise: 10)
        let step = abs(parameter("step", of: node, otherwise: 1))
        guard value >= min(start, end) - FormNumberText.tolerance, value <= max(start, end) + FormNumberText.tolerance,
            step > 0
        else { return false }
        let steps = (value - start) / step
        return abs(steps - steps.rounded()) < 1e-9
    }

    private static func parameter(_ name: Name, of node: FormNode, otherwise: Double) -> Double {
        node.parameters[name].flatMap { NumberReading.number($0) } ?? otherwise
    }
}
