import DocumentValues
import FormLogic

extension FormConversation {
    /// `Add another Water point? (3 so far) y/N/list`
    mutating func reply(_ line: String, about spot: RepeatSpot) {
        let stop = FormStop.another(spot)
        let typed = FoldedText.of(line.shortened(toScalars: EntryLimits.quoted))
        if typed.isExactly("list") { return list(spot, at: stop) }
        if typed.isEmpty { return go(to: course.stop(after: stop)) }
        switch YesOrNo(typed) {
        case .yes: add(to: spot, at: nil, from: stop)
        case .no: go(to: course.stop(after: stop))
        case nil:
            show(.refusal, plain: "y adds one, Enter goes on, list shows them.")
            ask(at: stop)
        }
    }

    /// The innermost repeat and the instance that a stop is in.
    private func repeatAround(_ stop: FormStop) -> (spot: RepeatSpot, instance: Record.ID?)? {
        switch stop {
        case .another(let spot): return (spot, nil)
        case .question(let node):
            guard let instance = record.ancestry(of: node).last(where: { outline[record[$0].formNode].isRepeat }),
                let spot = spot(of: instance)
            else { return nil }
            return (spot, instance)
        case .end: return nil
        }
    }

    private mutating func refuseOutsideRepeat(at stop: FormStop) {
        show(.refusal, plain: "This question is in no repeat.")
        ask(at: stop)
    }

    // MARK: Adding

    mutating func add(at stop: FormStop) {
        guard let (spot, instance) = repeatAround(stop) else { return refuseOutsideRepeat(at: stop) }
        add(to: spot, at: instance.map { record[$0].position + 1 }, from: stop)
    }

    /// - Parameter position: from 1; `nil`: behind the last.
    private mutating func add(to spot: RepeatSpot, at position: Int?, from stop: FormStop) {
        if outline[spot.formNode].node.repeatCount != nil {
            show(.refusal, plain: "How many of \(title(spot)) there are follows from other answers.")
            return ask(at: stop)
        }
        let (former, formerMarks) = (state, marks)
        let changes = state.add(spot.formNode, in: spot.parent, at: position, now: now)
        guard let added = changes.addedInstance else {
            show(.refusal, plain: "No more can be added: a record has a limit.")
            return ask(at: stop)
        }
        settle(changes, of: "added \(title(spot))", at: stop, former: former, formerMarks: formerMarks, cause: nil)
        page = nil
        save(then: .go(firstStop(in: added) ?? stop))
    }

    /// The first question in a group or an instance.
    func firstStop(in node: Record.ID) -> FormStop? {
        let inside = nodes(under: node)
        return course.questions.first { inside.contains($0) }.map { .question($0) }
    }

    // MARK: Dropping

    mutating func drop(at stop: FormStop) {
        if case .question(let node) = stop, case .file? = record.answer(of: node) { return clear(node) }
        guard let (spot, instance) = repeatAround(stop) else { return refuseOutsideRepeat(at: stop) }
        guard let instance else {
            show(
                .refusal, plain: "Go to the one that is to be dropped first: :go \(outline[spot.formNode].node.name) 1")
            return ask(at: stop)
        }
        if let count = state.count(of: spot.formNode, in: spot.parent), record[instance].position <= count {
            show(.refusal, plain: "How many of \(title(spot)) there are follows from other answers.")
            return ask(at: stop)
        }
        consent(to: .drop(instance: instance, back: stop))
    }

    private mutating func drop(_ instance: Record.ID) {
        guard let spot = spot(of: instance) else { return }
        let title = instanceTitle(instance)
        let stop = present
        let position = record[instance].position
        let (former, formerMarks) = (state, marks)
        marks.forget(nodes(under: instance))
        let changes = state.remove(instance, now: now)
        show(.info, plain: "Dropped: \(title). :undo brings it back.")
        settle(changes, of: "dropped \(title)", at: stop, former: former, formerMarks: formerMarks, cause: nil)
        page = nil
        asked = nil
        let left = record.children(of: spot.parent, formNode: spot.formNode)
        let next = left.isEmpty ? nil : firstStop(in: left[min(position, left.count) - 1])
        let behind = FormStop.another(spot)
        save(then: .go(next ?? (course.contains(behind) ? behind : course.stops[0])))
    }

    private func nodes(under ancestor: Record.ID) -> Set<Record.ID> {
        var (open, found): ([Record.ID], Set<Record.ID>) = ([ancestor], [])
        while let node = open.popLast() {
            found.insert(node)
            open += record.children(of: node)
        }
        return found
    }

    /// Answers that a person gave or sees, below a node.
    private func answerCount(under node: Record.ID) -> Int {
        nodes(under: node).count { id in
            outline[record[id].formNode].type?.isVisible == true && record.answer(of: id) != nil
        }
    }

    // MARK: Listing

    mutating func list(at stop: FormStop) {
        guard let (spot, _) = repeatAround(stop) else { return refuseOutsideRepeat(at: stop) }
        list(spot, at: stop)
    }

    private mutating func list(_ spot: RepeatSpot, at stop: FormStop) {
        let instances = record.children(of: spot.parent, formNode: spot.formNode)
        if instances.isEmpty { show(.info, plain: "There is none yet.") }
        for instance in instances.prefix(ConversationLimits.rows) { show(.row, plain: instanceTitle(instance)) }
        if instances.count > ConversationLimits.rows {
            show(.row, plain: "and \(instances.count - ConversationLimits.rows) more")
        }
        if !instances.isEmpty { show(.info, plain: "To go to one: :go \(outline[spot.formNode].node.name) 1") }
        askAgain(at: stop)
    }

    // MARK: Consent

    mutating func consent(to consent: Consent) {
        stage = .consenting(consent)
        var line = AskedLine()
        switch consent {
        case .drop(let instance, _):
            let count = answerCount(under: instance)
            line.question =
                "Drop \(instanceTitle(instance)) with \(count == 1 ? "1 answer" : "\(count) answers")? y/N"
        case .dropSurplus:
            let count = state.surplus.count
            let subject = count == 1 ? "1 instance is" : "\(count) instances are"
            line.question = "\(subject) beyond the count. Drop \(count == 1 ? "it" : "them")? y/N"
        case .leaveUnsaved: line.question = "Leave without the last answers? y/N"
        }
        line.completions = ["y", "n"]
        act(.ask(line))
    }

    mutating func reply(_ line: String, to consent: Consent) {
        let typed = FoldedText.of(line.shortened(toScalars: EntryLimits.quoted))
        let isYes: Bool
        switch YesOrNo(typed) {
        case .yes: isYes = true
        case .no: isYes = false
        case nil:
            guard typed.isEmpty else {
                show(.refusal, plain: "y or n, please.")
                return self.consent(to: consent)
            }
            isYes = false
        }
        switch consent {
        case .drop(let instance, let back): if isYes { drop(instance) } else { askAgain(at: back) }
        case .dropSurplus: saveThenFinalise(droppingSurplus: isYes)
        case .leaveUnsaved(let back): if isYes { leave(.unsaved) } else { go(to: back, showingPage: true) }
        }
    }
}

extension [FormChange] {
    /// The first that was added: the one that was asked for.
    fileprivate var addedInstance: Record.ID? {
        for case .added(let instance) in self { return instance }
        return nil
    }
}
