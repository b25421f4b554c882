import DocumentValues
import FormLogic

extension FormConversation {
    /// What `:go` leads to.
    private enum Goal {
        case stop(FormStop)
        /// The reason why it leads nowhere.
        case none(String)
    }

    mutating func go(named text: String, from stop: FormStop) {
        switch goal(text, from: stop) {
        case .stop(let goal): go(to: goal, showingPage: true)
        case .none(let reason):
            show(.refusal, plain: reason)
            ask(at: stop)
        }
    }

    private func goal(_ text: String, from stop: FormStop) -> Goal {
        if text.isEmpty { return .none("Where to? :go NAME or :go NUMBER; :all shows the numbers.") }
        if let number = Int(text) { return goal(number: number) }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        if parts.count > 1, let position = Int(parts[parts.count - 1]) {
            let name = parts.dropLast().joined(separator: " ")
            for id in nodes(meaning: name) where outline[id].isRepeat {
                return goal(instance: position, of: id, from: stop)
            }
        }
        let found = nodes(meaning: text)
        guard let first = found.first else { return .none(unknown(text)) }
        if found.count > 1, !outline[first].node.name.text.isExactly(text) {
            let names = found.prefix(ConversationLimits.changes).map { outline[$0].node.name.text }
            return .none("Several are meant: \(names.joined(separator: ", ")). Type one of these names.")
        }
        return goal(formNode: nearest(of: found, to: stop) ?? first, from: stop)
    }

    private func unknown(_ text: String) -> String {
        let short = text.shortened(toScalars: EntryLimits.quoted).printableLine
        let names = outline.entries.dropFirst().filter { $0.type?.isVisible ?? true }.map(\.node.name.text)
        let hint = NearName.hint(text, among: names).map { " \($0)" } ?? ""
        return "No question is called '\(short)'.\(hint)"
    }

    private func goal(number: Int) -> Goal {
        // The numbers of the list on the screen; an answer changes them.
        let questions = listed.isEmpty ? course.questions : listed
        guard questions.indices.contains(number - 1) else {
            return .none("There is no question \(number): the numbers are 1 to \(questions.count). See :all")
        }
        return .stop(.question(questions[number - 1]))
    }

    // MARK: Names and labels

    /// By the name, then apart from case, then by the label, then by a beginning of either.
    func nodes(meaning text: String) -> [FormOutline.ID] {
        let exact = outline.nodes(named: Name(text)).filter { $0 != FormOutline.root }
        if !exact.isEmpty { return exact }
        let folded = FoldedText.of(text)
        let visible = outline.entries.indices.dropFirst().filter { outline[$0].type?.isVisible ?? true }
        let names = visible.map { FoldedText.of(outline[$0].node.name.text) }
        let labels = visible.map { id in
            outline[id].node.label.flatMap { language.pick($0) }.map { FoldedText.of($0.text) } ?? ""
        }
        for texts in [names, labels] {
            let equal = zip(visible, texts).filter { $0.1.isExactly(folded) }.map(\.0)
            if !equal.isEmpty { return equal }
        }
        for texts in [names, labels] where !folded.isEmpty {
            let beginnings = zip(visible, texts).filter { $0.1.hasExactPrefix(folded) }.map(\.0)
            if !beginnings.isEmpty { return beginnings }
        }
        return []
    }

    /// Of several nodes of one name the one with an answer around the present stop.
    private func nearest(of found: [FormOutline.ID], to stop: FormStop) -> FormOutline.ID? {
        guard let node = stop.node else { return found.first }
        let around = record.ancestry(of: node).map { record[$0].formNode }
        return found.max { left, right in
            let shared = [left, right].map { id in around.count { outline.isInside(id, of: $0) } }
            return shared[0] < shared[1]
        }
    }

    // MARK: Nodes of the record

    /// In the same instances as the present stop where there are such, otherwise in the first.
    func node(of formNode: FormOutline.ID, near stop: FormStop) -> Record.ID? {
        let start: Record.ID =
            switch stop {
            case .question(let node): node
            case .another(let spot): spot.parent
            case .end: Record.root
            }
        for id in record.ancestry(of: start).reversed() where outline.isInside(formNode, of: record[id].formNode) {
            if let first = record.nodes(of: formNode, under: id).first { return first }
        }
        return nil
    }

    private func goal(formNode: FormOutline.ID, from stop: FormStop) -> Goal {
        guard outline[formNode].type?.isVisible ?? true else {
            return .none("'\(outline[formNode].node.name)' is calculated and never asked; :all shows it.")
        }
        guard let node = node(of: formNode, near: stop) else { return goalWithoutNode(formNode, from: stop) }
        guard record[node].isRelevant else { return .none(reason(hiding: node)) }
        if outline[formNode].type != nil { return .stop(.question(node)) }
        return firstStop(in: node).map { .stop($0) } ?? .none("No question of '\(title(node))' is asked now.")
    }

    /// Of a repeat without instances, or in one.
    private func goalWithoutNode(_ formNode: FormOutline.ID, from stop: FormStop) -> Goal {
        let ancestry = outline.ancestry(of: formNode)
        for id in ancestry where outline[id].isRepeat {
            guard let parent = outline[id].parent.flatMap({ node(of: $0, near: stop) }),
                record.children(of: parent, formNode: id).isEmpty
            else { continue }
            let spot = RepeatSpot(formNode: id, parent: parent)
            guard state.isShown(id, in: parent) else { return .none(reason(hiding: spot)) }
            return course.contains(.another(spot))
                ? .stop(.another(spot)) : .none("There is no \(title(spot)) by the answers before.")
        }
        return .none("'\(outline[formNode].node.name)' is not asked now.")
    }

    private func goal(instance position: Int, of formNode: FormOutline.ID, from stop: FormStop) -> Goal {
        guard let parent = outline[formNode].parent.flatMap({ node(of: $0, near: stop) }) else {
            return goalWithoutNode(formNode, from: stop)
        }
        let spot = RepeatSpot(formNode: formNode, parent: parent)
        guard state.isShown(formNode, in: parent) else { return .none(reason(hiding: spot)) }
        let instances = record.children(of: parent, formNode: formNode)
        guard instances.indices.contains(position - 1) else {
            let are = instances.count == 1 ? "is 1" : "are \(instances.count)"
            let name = outline[formNode].node.name
            let more = outline[formNode].node.repeatCount == nil ? " :add \(name) adds one." : ""
            return .none("There is no \(title(spot)) \(position): there \(are).\(more)")
        }
        return firstStop(in: instances[position - 1]).map { .stop($0) } ?? .none("It has no question now.")
    }

    // MARK: Reasons

    /// `Depth: not asked, because ${works} = 'yes' is false`
    func reason(hiding node: Record.ID) -> String {
        let rule = state.hidingRule(of: node).flatMap { outline[$0].node.relevant }
        return reason(title(node), rule: rule)
    }

    func reason(hiding spot: RepeatSpot) -> String {
        let rule =
            record[spot.parent].isRelevant
            ? outline[spot.formNode].node.relevant
            : state.hidingRule(of: spot.parent).flatMap { outline[$0].node.relevant }
        return reason(title(spot), rule: rule)
    }

    private func reason(_ title: String, rule: String?) -> String {
        "\(title): not asked" + (rule.map { ", because \($0.onOneLine) is false" } ?? "")
    }
}
