import DocumentValues
import FormLogic

/// The group or instance whose heading is on the screen.
struct FormPage: Sendable, Hashable {
    let parent: Record.ID
    let language: Name?
}

extension FormConversation {
    var record: Record { state.record }
    var outline: FormOutline { state.record.outline }

    func formNode(of node: Record.ID) -> FormNode { outline[record[node].formNode].node }

    func type(of node: Record.ID) -> QuestionType { formNode(of: node).type ?? .text }

    func isNote(_ node: Record.ID) -> Bool { type(of: node) == .plain(.note) }

    /// Whether the person answers it, or reads it before going on. Others are shown on the way.
    mutating func isAsked(_ node: Record.ID) -> Bool {
        if isNote(node) { return true }
        let formNode = formNode(of: node)
        if formNode.calculation != nil, formNode.trigger.isEmpty { return false }
        // The head of a grid.
        if case .select = type(of: node), formNode.hasAppearance("label") { return false }
        return !state.isReadOnly(node)
    }

    // MARK: Texts of the form

    func styled(_ text: FormText, at node: Record.ID) -> StyledText {
        var evaluator = state.evaluator
        return evaluator.styled(text, owner: record[node].formNode, at: .record(node), in: language)
    }

    func styled(_ text: FormText, of spot: RepeatSpot) -> StyledText {
        var evaluator = state.evaluator
        return evaluator.styled(text, owner: spot.formNode, at: .missingChild(of: spot.parent), in: language)
    }

    /// The name where there is no label.
    func label(_ node: Record.ID) -> StyledText {
        let formNode = formNode(of: node)
        let label = formNode.label.map { styled($0, at: node) } ?? StyledText()
        return label.isEmpty ? StyledText(formNode.name.text) : label
    }

    /// A label as part of another line.
    func title(_ node: Record.ID) -> String {
        label(node).plain.onOneLine.shortened(toScalars: ConversationLimits.title)
    }

    func title(_ spot: RepeatSpot) -> String {
        let formNode = outline[spot.formNode].node
        let label = formNode.label.map { styled($0, of: spot).plain.onOneLine } ?? ""
        return (label.isEmpty ? formNode.name.text : label).shortened(toScalars: ConversationLimits.title)
    }

    /// `Water point 2 of 3 – WP-2`
    func instanceTitle(_ instance: Record.ID) -> String {
        guard let spot = spot(of: instance) else { return title(instance) }
        let count = record.children(of: spot.parent, formNode: spot.formNode).count
        let name = nameOfInstance(instance).map { " – \($0)" } ?? ""
        let surplus = isSurplus(instance) ? " (beyond the count)" : ""
        return "\(title(instance)) \(record[instance].position) of \(count)\(name)\(surplus)"
    }

    /// The repeat of an instance.
    func spot(of instance: Record.ID) -> RepeatSpot? {
        guard outline[record[instance].formNode].isRepeat, let parent = record[instance].parent else { return nil }
        return RepeatSpot(formNode: record[instance].formNode, parent: parent)
    }

    func isSurplus(_ instance: Record.ID) -> Bool {
        guard let spot = spot(of: instance), let count = state.count(of: spot.formNode, in: spot.parent) else {
            return false
        }
        return record[instance].position > count
    }

    /// The first text or choice in it.
    private func nameOfInstance(_ instance: Record.ID) -> String? {
        var open = [instance]
        while let node = open.popLast() {
            guard record[node].isRelevant, node == instance || !outline[record[node].formNode].isRepeat else {
                continue
            }
            guard let type = outline[record[node].formNode].type else {
                open += record.children(of: node).reversed()
                continue
            }
            if type.namesInstances, let answer = record.answer(of: node) {
                return shown(answer, at: node, isNumbered: false).shortened(toScalars: ConversationLimits.instanceName)
            }
        }
        return nil
    }

    /// The groups and instances around a node, from the outside: `Water point 2 of 3 – WP-2 › Point WP-2`.
    func titles(around node: Record.ID) -> [String] {
        record.ancestry(of: node).dropFirst().dropLast().compactMap { id in
            if outline[record[id].formNode].isRepeat { return instanceTitle(id) }
            let label = formNode(of: id).label.map { styled($0, at: id).plain.onOneLine } ?? ""
            return label.isEmpty ? nil : label.shortened(toScalars: ConversationLimits.title)
        }
    }

    /// `Water point 2 › Depth`
    func path(of node: Record.ID) -> String {
        let around = record.ancestry(of: node).dropFirst().dropLast().compactMap { id in
            outline[record[id].formNode].isRepeat ? "\(title(id)) \(record[id].position)" : nil
        }
        return (around + [title(node)]).joined(separator: " › ")
    }

    // MARK: Answers

    var context: AnswerContext {
        AnswerContext(now: now, zone: zone, language: language.chosen, dayOrder: dayOrder)
    }

    /// An answer on one line, as the person reads it.
    ///
    /// - Parameter isNumbered: whether choices have their numbers where they are on the screen.
    func shown(_ answer: Answer, at node: Record.ID, isNumbered: Bool = true) -> String {
        if case .select = type(of: node), asked?.node != node || !isNumbered { return chosenLabels(answer, at: node) }
        return AnswerText(question(at: node), in: context).line(answer)
    }

    private func chosenLabels(_ answer: Answer, at node: Record.ID) -> String {
        let names: [Name] = if case .names(let names) = answer { names } else { [Name(answer.text)] }
        var evaluator = state.evaluator
        return names.map { name in
            evaluator.choice(name, of: record[node].formNode, at: .record(node))?.label ?? name.text
        }.joined(separator: ", ")
    }

    /// The label of a choice that may not be offered any more; its name where the form has no label for it.
    func choiceLabel(_ name: Name, at node: Record.ID) -> String {
        guard case .select(_, .list(let list)) = type(of: node),
            let label = form.list(list)?.choices.first(where: { $0.name == name })?.label
        else { return name.text }
        let text = styled(label, at: node).plain.onOneLine
        return text.isEmpty ? name.text : text.shortened(toScalars: ConversationLimits.title)
    }

    /// The question with the choices that it offers now.
    func question(at node: Record.ID) -> AskedQuestion {
        if let asked, asked.node == node { return asked.question }
        let type = type(of: node)
        var choices: [OfferedChoice] = []
        if case .select = type {
            var evaluator = state.evaluator
            choices = evaluator.choices(of: record[node].formNode, at: .record(node))
        } else if type == .plain(.range) {
            choices = tickLabels(of: formNode(of: node))
        }
        return AskedQuestion(
            formNode(of: node), type: type, choices: ChoiceIndex(choices), present: record.answer(of: node))
    }

    /// The labels on the ticks of a range.
    private func tickLabels(of formNode: FormNode) -> [OfferedChoice] {
        guard let name = formNode.parameters["tick_labelset"], let list = form.list(Name(name)) else { return [] }
        return list.choices.map { choice in
            OfferedChoice(name: choice.name, label: choice.label.flatMap { language.pick($0)?.text })
        }
    }

    /// `10:42`
    func clock(_ moment: Int64) -> String {
        let minutes = Conversions(zone: zone).clock(of: Moment(instant: moment, kind: .dateTime)) / 60_000
        return [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension QuestionType {
    /// Whether an answer of this type is a name for the instance that it is in.
    fileprivate var namesInstances: Bool {
        switch self {
        case .select(.one, _), .plain(.text), .plain(.barcode), .plain(.integer): true
        case .select, .plain: false
        }
    }
}

extension String {
    /// Without line breaks.
    var onOneLine: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: unicodeScalars.lazy.map { $0 == "\n" || $0 == "\r" ? " " : $0 })
        return String(view).trimmingSpaces
    }
}
