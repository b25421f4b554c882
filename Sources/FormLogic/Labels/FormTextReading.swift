import DocumentValues

/// In which languages the texts of a form are read.
package struct FormTextLanguage: Sendable {
    package var chosen: Name?
    /// Of a text that has none in the chosen one.
    package var fallback: Name?

    package init(chosen: Name?, fallback: Name?) {
        self.chosen = chosen
        self.fallback = fallback
    }

    /// The text, and its language where that is not the chosen one.
    package func pick(_ text: FormText) -> (text: String, mark: Name?)? {
        if let chosen = text.text(in: chosen), !chosen.isEmpty { return (chosen, nil) }
        if let other = text.text(in: fallback), !other.isEmpty { return (other, fallback) }
        guard case .translated(let translations) = text, let first = translations.first(where: { !$0.text.isEmpty })
        else { return nil }
        return (first.text, first.language)
    }
}

extension FormEvaluator {
    /// A label, a hint, a message or the label of a choice as a person reads it: `${name}` is the answer, choices by name.
    /// A text that is missing in the chosen language has the language that it is in behind it: `Depth [en]`.
    ///
    /// - Parameters:
    ///   - owner: the node of the form that has the text.
    ///   - node: its node; for a repeat as a whole `missingChild` of the one that has it.
    package mutating func styled(
        _ text: FormText, owner: FormOutline.ID, at node: NodeReference, in language: FormTextLanguage
    ) -> StyledText {
        guard let (picked, mark) = language.pick(text) else { return StyledText() }
        var styled = TextMarkup.styled(
            LabelTemplate(picked).filled { value(of: $0, owner: owner, at: node) })
        if let mark { styled.append(" [\(mark)]") }
        return styled
    }

    /// A reference as a person reads it: numbers and dates as tables have them, times without seconds, nothing without an
    /// answer. `nil` for a reference to no question.
    ///
    /// - Parameter reference: `${name}`.
    package mutating func value(
        of reference: String, owner: FormOutline.ID, at node: NodeReference
    ) -> String? {
        guard let expression = try? program.compile(reference, owner: owner) else { return nil }
        state.refill()
        // Reports of a label would be those of the calculation that it shows.
        defer { _ = state.takeReports() }
        guard case .nodes(let nodes) = evaluate(expression, scope: EvaluationScope(at: node)) else { return nil }
        guard let first = nodes.first else { return "" }
        guard let id = first.recordID, let answer = record.answer(of: id) else {
            return conversions.text(self.value(of: first))
        }
        return isRelevant(first) ? Self.reading(answer) : ""
    }

    /// The references of an expression with their present values, each once, in their order.
    package mutating func values(
        in expression: String, owner: FormOutline.ID, at node: NodeReference
    ) -> [(reference: String, value: String)] {
        var seen: Set<Name> = []
        let references = LabelTemplate(expression).references.filter { seen.insert(Name($0)).inserted }
        return references.compactMap { reference in
            value(of: reference, owner: owner, at: node).map { (reference, $0) }
        }
    }

    private static func reading(_ answer: Answer) -> String {
        switch answer {
        case .time(let time): clock(time.milliseconds)
        case .dateTime(let stored):
            "\(MomentText.date(stored.parts.day)) \(clock(stored.parts.milliseconds ?? 0))"
        case .boolean(let boolean): boolean ? "true" : "false"
        case .text, .number, .date, .names, .point, .points, .file: answer.text
        }
    }

    private static func clock(_ milliseconds: Int) -> String {
        "\(MomentText.padded(milliseconds / 3_600_000, to: 2)):\(MomentText.padded(milliseconds / 60_000 % 60, to: 2))"
    }
}

extension FormState {
    /// Texts, and labels of lists that expressions look up, are read in another language from now on. A value that was
    /// calculated with the former one stays until it is calculated for another reason.
    ///
    /// - Parameter lists: of the form.
    package mutating func speak(_ language: FormTextLanguage, lists: [ChoiceList]) {
        evaluator.speak(language, lists: lists)
    }
}

extension FormEvaluator {
    fileprivate mutating func speak(_ language: FormTextLanguage, lists: [ChoiceList]) {
        state.language = language.chosen
        for list in lists {
            guard case .choices(let choices) = list.content else { continue }
            instances[list.name] = .table(
                FormInstances.table(of: choices, language: language.chosen, fallback: language.fallback))
        }
        instances.index(program.lookups, conversions: state.conversions)
    }
}
