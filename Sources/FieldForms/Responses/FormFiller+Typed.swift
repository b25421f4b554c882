import DocumentValues
import FormEntry
import FormLogic

/// Answers that a script gives one by one, read as a person types them.
extension FormFiller {
    /// One answer. It is checked before it is taken, and the former one stays where it is refused.
    ///
    /// - Parameters:
    ///   - path: `depth`, `point[2]/about/depth`.
    ///   - current: an instance that is meant where none is named.
    package mutating func set(
        _ path: String, to text: String, near current: Record.ID? = nil, in context: AnswerContext
    ) {
        guard let node = node(path, near: current) else { return }
        guard !text.utf8.contains(0) else { return note(.type, at: node, message: JSONAnswerReader.nulRule) }
        let formNode = record[node].formNode
        guard let type = outline[formNode].type else {
            return problem(.type, path: path, message: "is a group, which has no answer of its own")
        }
        let definition = outline[formNode].node
        if definition.calculation != nil, definition.trigger.isEmpty {
            return note(.type, at: node, message: "is calculated, and takes no answer")
        }
        var evaluator = state.evaluator
        let question = AskedQuestion(
            definition, type: type, choices: ChoiceIndex(evaluator.choices(of: formNode, at: .record(node))),
            present: record.answer(of: node))
        take(TypedAnswerReader.read(text, for: question, in: context), type: type, at: node)
    }

    private mutating func take(_ outcome: AnswerOutcome, type: QuestionType, at node: Record.ID) {
        let kind: FillProblem.Kind = if case .select = type { .choice } else { .type }
        switch outcome {
        case .answer(let answer, _): check(answer, at: node)
        case .cleared, .kept: store(nil, at: node)
        case .question(let question): note(kind, at: node, message: "may mean several answers: \(question.question)")
        case .refused(let refusal): note(kind, at: node, message: refusal.description)
        case .file(let path):
            guard !state.isReadOnly(node) else { return noteReadOnly(node) }
            do { check(.file(try attached(path, at: node)), at: node) } catch {
                note(.type, at: node, message: "\(error)")
            }
        }
    }

    private mutating func check(_ answer: Answer, at node: Record.ID) {
        guard record[node].isRelevant, let reason = state.failure(of: answer, at: node) else {
            return store(answer, at: node)
        }
        problems.append(FillMessages(state: state, language: language).problem(reason, at: node))
    }

    /// Adds an instance of a repeat.
    ///
    /// - Parameter current: an instance around the new one, where the repeat is inside another.
    /// - Returns: `nil` with a problem.
    package mutating func add(_ path: String, near current: Record.ID? = nil) -> Record.ID? {
        let parts = path.split(atByte: "/")
        guard let name = parts.last, let formNode = outline.nodes(named: Name(name)).first, outline[formNode].isRepeat,
            let above = outline[formNode].parent
        else {
            problem(.unknown, path: path, message: "the form has no such repeat")
            return nil
        }
        guard outline[formNode].node.repeatCount == nil else {
            problem(.unknown, path: path, message: "has as many instances as its count says")
            return nil
        }
        let around = current.flatMap { record.ancestor(of: $0, formNode: above) }
        let prefix = parts.dropLast().joined(separator: "/")
        let parent = prefix.isEmpty ? around ?? record.nodes(of: above).only : node(prefix, near: current)
        guard let parent, record[parent].formNode == above else {
            if prefix.isEmpty { problem(.unknown, path: path, message: "there are several: name the one around it") }
            return nil
        }
        note(state.add(formNode, in: parent, now: now))
        let added = record.children(of: parent, formNode: formNode).last
        accepted += 1
        return added
    }

    private mutating func node(_ path: String, near current: Record.ID?) -> Record.ID? {
        guard let parsed = AnswerPath(path, root: outline[FormOutline.root].node.name) else {
            problem(.unknown, path: path, message: "is no name of a question")
            return nil
        }
        switch parsed.resolve(in: record, current: current) {
        case .success(let node) where outline.isMeta(record[node].formNode):
            problem(.unknown, path: path, message: "belongs to the record itself, and takes no answer")
            return nil
        case .success(let node): return node
        case .failure(let error):
            let last = path.split(atByte: "/").last.map(String.init) ?? path
            let hint =
                if case .unknown = error.fault { NearName.hint(last, among: outline.names.map(\.text)) } else {
                    String?.none
                }
            problem(.unknown, path: path, message: Sentences.joined(error.message, hint: hint))
            return nil
        }
    }

    private mutating func problem(_ kind: FillProblem.Kind, path: String, message: String) {
        problems.append(FillProblem(kind, path: path, message: message))
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
