import FormLogic

/// Where a conversation can be.
enum FormStop: Sendable, Hashable {
    /// A relevant question that a person sees; notes and read-only ones, too.
    case question(Record.ID)
    /// Behind the instances of a repeat without a count: whether to add one.
    case another(RepeatSpot)
    /// Behind the last question.
    case end

    var node: Record.ID? {
        guard case .question(let node) = self else { return nil }
        return node
    }
}

/// A repeat in the group or the instance that has it.
struct RepeatSpot: Sendable, Hashable {
    let formNode: FormOutline.ID
    let parent: Record.ID
}

/// All stops of a record in document order.
struct FormCourse: Sendable {
    private(set) var stops: [FormStop] = []
    /// The numbers of questions, from 1.
    private(set) var numbers: [Record.ID: Int] = [:]
    private var indexes: [FormStop: Int] = [:]

    init(_ state: FormState) {
        add(Record.root, of: state)
        stops.append(.end)
        for (index, stop) in stops.enumerated() { indexes[stop] = index }
    }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private mutating func add(_ node: Record.ID, of state: FormState) {
        let (record, outline) = (state.record, state.record.outline)
        guard record[node].isRelevant else { return }
        if let type = outline[record[node].formNode].type {
            guard type.isVisible else { return }
            stops.append(.question(node))
            numbers[node] = numbers.count + 1
            return
        }
        for child in outline[record[node].formNode].children {
            let isRepeat = outline[child].isRepeat
            if isRepeat, !state.isShown(child, in: node) { continue }
            for inner in record.children(of: node, formNode: child) { add(inner, of: state) }
            if isRepeat, outline[child].node.repeatCount == nil {
                stops.append(.another(RepeatSpot(formNode: child, parent: node)))
            }
        }
    }

    var questions: [Record.ID] { stops.compactMap(\.node) }

    func contains(_ stop: FormStop) -> Bool { indexes[stop] != nil }

    /// None where the stop is not there.
    func questionCount(before stop: FormStop) -> Int {
        stops.prefix(indexes[stop] ?? 0).count { $0.node != nil }
    }

    /// The end where the stop is not there, or is the last.
    func stop(after stop: FormStop) -> FormStop {
        guard let index = indexes[stop], index + 1 < stops.count else { return .end }
        return stops[index + 1]
    }

    /// `nil` before the first.
    func stop(before stop: FormStop) -> FormStop? {
        guard let index = indexes[stop], index > 0 else { return nil }
        return stops[index - 1]
    }
}
