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

    private mutating func refuse(_ text: String, advice: String?, at stop: FormStop) {
        show(.refusal, plain: text + (advice.map { " \($0)" } ?? ""))
        ask(at: stop)
    }

    private static let outside = "This question is in no repeat."

    private func counted(_ spot: RepeatSpot) -> String {
        "How many of \(title(spot)) there are follows from other answers."
    }

    // MARK: Adding

    /// - Parameter text: the name or the label of a repeat; empty: the one that the stop is in.
    mutating func add(_ text: String, at stop: FormStop) {
        guard text.isEmpty else { return add(named: text, at: stop) }
        guard let (spot, instance) = repeatAround(stop) else {
            return refuse(Self.outside, advice: addingAdvice(near: stop), at: stop)
        }
        add(to: spot, at: instance.map { record[$0].position + 1 }, from: stop)
    }

    private mutating func add(named text: String, at stop: FormStop) {
        guard let formNode = nodes(meaning: text).first(where: { outline[$0].isRepeat }) else {
            let short = text.shortened(toScalars: EntryLimits.quoted).printableLine
            return refuse("No repeat is called '\(short)'.", advice: addingAdvice(near: stop), at: stop)
        }
        if let instance = instance(of: [formNode], around: stop), let spot = spot(of: instance) {
            return add(to: spot, at: record[instance].position + 1, from: stop)
        }
        guard let parent = outline[formNode].parent.flatMap({ node(of: $0, near: stop) }) else {
            return refuse("'\(outline[formNode].node.name)' is not asked now.", advice: nil, at: stop)
        }
        let spot = RepeatSpot(formNode: formNode, parent: parent)
        guard state.isShown(formNode, in: parent) else { return refuse(reason(hiding: spot), advice: nil, at: stop) }
        add(to: spot, at: nil, from: stop)
    }

    /// The innermost instance of one of some repeats that a stop is in.
    private func instance(of repeats: [FormOutline.ID], around stop: FormStop) -> Record.ID? {
        stop.node.flatMap { node in record.ancestry(of: node).last { repeats.contains(record[$0].formNode) } }
    }

    /// `:add point adds a Water point.`
    private func addingAdvice(near stop: FormStop) -> String? {
        var ways: [String] = []
        for id in outline.entries.indices where outline[id].isRepeat && outline[id].node.repeatCount == nil {
            guard let parent = outline[id].parent.flatMap({ node(of: $0, near: stop) }), state.isShown(id, in: parent)
            else { continue }
            ways.append(":add \(outline[id].node.name) adds a \(title(RepeatSpot(formNode: id, parent: parent)))")
            if ways.count == ConversationLimits.changes { break }
        }
        return ways.isEmpty ? nil : ways.joined(separator: ", ") + "."
    }

    /// - Parameter position: from 1; `nil`: behind the last.
    private mutating func add(to spot: RepeatSpot, at position: Int?, from stop: FormStop) {
        if outline[spot.formNode].node.repeatCount != nil {
            return refuse(counted(spot), advice: addingAdvice(near: stop), at: stop)
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

    /// - Parameter text: the name or the label of a repeat; empty: the file at the stop, or the innermost repeat around it.
    mutating func drop(_ text: String, at stop: FormStop) {
        guard text.isEmpty else { return drop(named: text, at: stop) }
        if case .question(let node) = stop, isFile(node) {
            if record.answer(of: node) != nil { return clear(node) }
            return refuse("There is no file to drop.", advice: droppingAdvice(around: stop), at: stop)
        }
        guard let (spot, instance) = repeatAround(stop) else { return refuse(Self.outside, advice: nil, at: stop) }
        guard let instance else {
            let name = outline[spot.formNode].node.name
            return refuse("Go to the one that is to be dropped first: :go \(name) 1", advice: nil, at: stop)
        }
        drop(instance, of: spot, at: stop)
    }

    private mutating func drop(named text: String, at stop: FormStop) {
        let repeats = nodes(meaning: text).filter { outline[$0].isRepeat }
        guard let instance = instance(of: repeats, around: stop), let spot = spot(of: instance) else {
            let short = text.shortened(toScalars: EntryLimits.quoted).printableLine
            return refuse("This question is in no '\(short)'.", advice: droppingAdvice(around: stop), at: stop)
        }
        drop(instance, of: spot, at: stop)
    }

    private mutating func drop(_ instance: Record.ID, of spot: RepeatSpot, at stop: FormStop) {
        if let count = state.count(of: spot.formNode, in: spot.parent), record[instance].position <= count {
            return refuse(counted(spot), advice: droppingAdvice(around: stop), at: stop)
        }
        consent(to: .drop(instance: instance, back: stop))
    }

    /// `To drop Water point 2: :drop point`
    private func droppingAdvice(around stop: FormStop) -> String? {
        guard let node = stop.node,
            let instance = record.ancestry(of: node).last(where: { id in
                outline[record[id].formNode].isRepeat && formNode(of: id).repeatCount == nil
            })
        else { return nil }
        return "To drop \(title(instance)) \(record[instance].position): :drop \(formNode(of: instance).name)"
    }

    private func isFile(_ node: Record.ID) -> Bool {
        switch type(of: node) {
        case .plain(.image), .plain(.audio), .plain(.video), .plain(.file): true
        case .plain, .select: false
        }
    }

    mutating func drop(_ instance: Record.ID) {
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
    func answerCount(under node: Record.ID) -> Int {
        nodes(under: node).count { id in
            outline[record[id].formNode].type?.isVisible == true && record.answer(of: id) != nil
        }
    }

    // MARK: Listing

    mutating func list(at stop: FormStop) {
        guard let (spot, _) = repeatAround(stop) else {
            return refuse(Self.outside, advice: ":all shows the form.", at: stop)
        }
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
}

extension [FormChange] {
    /// The first that was added: the one that was asked for.
    fileprivate var addedInstance: Record.ID? {
        for case .added(let instance) in self { return instance }
        return nil
    }
}
