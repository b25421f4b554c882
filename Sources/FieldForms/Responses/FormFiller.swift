import DocumentValues
import FormEntry
import FormLogic

/// Gives a form the answers of a script, in the order of the form, so that an answer does not depend on those behind it. It
/// is a value: the state that it was made of does not change.
package struct FormFiller {
    package internal(set) var state: FormState
    package internal(set) var problems: [FillProblem] = []
    /// How many values were taken.
    package internal(set) var accepted = 0
    /// Rules that its answers and instances have had evaluated.
    package private(set) var evaluations = 0

    let language: FormTextLanguage
    let now: Int64
    /// Adds a file to the record.
    private let attach: (_ path: String, _ node: FormNode) throws -> AnsweredFile
    /// The nodes that were answered, in their order.
    private var given: [Record.ID] = []
    /// What filters have taken back since the last `settle`.
    private var dropped: [DroppedChoices] = []
    private var settledNotices: [String] = []
    private var calculated: [(node: Record.ID, value: JSONValue)] = []
    /// Answers for instances that are not there yet.
    private var deferred: [Deferred] = []

    private struct Deferred {
        let formNode: FormOutline.ID
        let parent: Record.ID
        let position: Int
        let object: JSONObject
    }

    /// - Parameters:
    ///   - language: of the messages.
    ///   - now: milliseconds since 1970.
    ///   - attach: adds the file of a path to the record; its error is a problem of the question.
    package init(
        _ state: FormState, language: FormTextLanguage, now: Int64,
        attach: @escaping (_ path: String, _ node: FormNode) throws -> AnsweredFile
    ) {
        self.state = state
        self.language = language
        self.now = now
        self.attach = attach
    }

    /// A line for each answer of which a filter has taken something, unless it was one of the object's: those are problems.
    package var notices: [String] { settledNotices + dropped.map(\.line) }

    var record: Record { state.record }
    var outline: FormOutline { state.record.outline }

    // MARK: A whole object

    /// The same of a script's text. An object in which a member is there twice is as good as none.
    package mutating func fill(_ answers: ScriptAnswers) {
        guard answers.repeated.isEmpty else { return problems += answers.repeated.map { FillProblem.repeated($0) } }
        fill(answers.object)
    }

    /// Answers by the names of questions: groups are objects, or `group/name`; repeats are lists of instances.
    package mutating func fill(_ answers: JSONObject) {
        state.deferRules()
        apply(answers, at: Record.root)
        for _ in 0..<FormLibraryLimits.countedPasses where !deferred.isEmpty {
            let waiting = deferred
            deferred = []
            for each in waiting { apply(each) }
        }
        for each in deferred {
            note(.unknown, at: each, message: "there is no such instance by the count of its repeat")
        }
        deferred = []
        note(state.catchUp(now: now))
        settle()
    }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private mutating func apply(_ object: JSONObject, at node: Record.ID) {
        let given = GivenAnswers(
            object, formNode: record[node].formNode, outline: outline, prefix: record.numberedPath(of: node))
        problems += given.problems
        for child in outline[record[node].formNode].children {
            guard let value = given.values[child] else { continue }
            if outline[child].isRepeat {
                applyInstances(value, of: child, in: node)
            } else if let found = record.children(of: node, formNode: child).first {
                guard outline[child].type == nil else {
                    answer(value, at: found)
                    continue
                }
                if let group = value.objectValue {
                    apply(group, at: found)
                } else if !value.isNull {
                    note(.type, at: found, message: "must be an object with the answers of the group")
                }
            }
        }
    }

    // MARK: Instances

    private mutating func applyInstances(_ value: JSONValue, of formNode: FormOutline.ID, in parent: Record.ID) {
        let prefix = record.numberedPath(of: parent)
        let path = (prefix.isEmpty ? "" : prefix + "/") + outline[formNode].node.name.text
        guard !value.isNull else { return }
        guard let elements = value.arrayValue else {
            return problems.append(FillProblem(.type, path: path, message: "must be a list of instances"))
        }
        if let index = elements.firstIndex(where: { $0.objectValue == nil }) {
            let message = "must be an object with the answers of the instance"
            return problems.append(FillProblem(.type, path: "\(path)[\(index + 1)]", message: message))
        }
        if outline[formNode].node.repeatCount == nil {
            match(formNode, in: parent, count: elements.count, path: path)
        }
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else { continue }
            apply(Deferred(formNode: formNode, parent: parent, position: index + 1, object: object))
        }
    }

    /// As many instances as there are objects, no more than a record may have.
    private mutating func match(_ formNode: FormOutline.ID, in parent: Record.ID, count: Int, path: String) {
        let present = record.children(of: parent, formNode: formNode)
        if present.count > count { note(state.remove(Array(present[count...]), now: now)) }
        if present.count < count { note(state.add(count - present.count, of: formNode, in: parent, now: now)) }
        let room = record.children(of: parent, formNode: formNode).count
        guard room < count else { return }
        problems.append(FillProblem(.unknown, path: path, message: "the record has no room for more than \(room)"))
    }

    private mutating func apply(_ each: Deferred) {
        let instances = record.children(of: each.parent, formNode: each.formNode)
        guard each.position <= instances.count else {
            if outline[each.formNode].node.repeatCount != nil { deferred.append(each) }
            return
        }
        apply(each.object, at: instances[each.position - 1])
    }

    private mutating func note(_ kind: FillProblem.Kind, at each: Deferred, message: String) {
        let prefix = record.numberedPath(of: each.parent)
        let path = (prefix.isEmpty ? "" : prefix + "/") + "\(outline[each.formNode].node.name.text)[\(each.position)]"
        problems.append(FillProblem(kind, path: path, message: message))
    }

    // MARK: One answer

    private mutating func answer(_ value: JSONValue, at node: Record.ID) {
        let formNode = outline[record[node].formNode].node
        guard let type = formNode.type else { return }
        if formNode.calculation != nil, formNode.trigger.isEmpty { return calculated.append((node, value)) }
        let reader = JSONAnswerReader(conversions: state.evaluator.state.conversions, now: now)
        switch reader.read(value, node: formNode, type: type) {
        case .cleared: store(nil, at: node)
        case .answer(let answer): store(answer, at: node)
        case .refused(let message): note(.type, at: node, message: message)
        case .file(let path):
            // Before the file is copied.
            guard !state.isReadOnly(node) else { return noteReadOnly(node) }
            do {
                store(.file(try attach(path, formNode)), at: node)
            } catch {
                note(.type, at: node, message: "\(error)")
            }
        }
    }

    /// What a person cannot change stays as it is; a script may hand it back.
    mutating func store(_ answer: Answer?, at node: Record.ID) {
        guard answer == record.answer(of: node) || !state.isReadOnly(node) else { return noteReadOnly(node) }
        note(state.answer(answer, at: node, now: now))
        accepted += 1
        if answer != nil { given.append(node) }
    }

    mutating func attached(_ path: String, at node: Record.ID) throws -> AnsweredFile {
        try attach(path, outline[record[node].formNode].node)
    }

    mutating func noteReadOnly(_ node: Record.ID) { note(.type, at: node, message: "is read-only; leave it out") }

    mutating func note(_ changes: [FormChange]) {
        evaluations += state.evaluations
        dropped += DroppedChoices.of(changes, in: record)
    }

    mutating func note(_ kind: FillProblem.Kind, at node: Record.ID, message: String) {
        problems.append(FillProblem(kind, path: record.numberedPath(of: node), message: message))
    }

    // MARK: The end

    /// Looks at the answers once all are given: a rule may depend on an answer behind its own. Those that break one are taken
    /// back.
    private mutating func settle() {
        var seen: Set<Record.ID> = []
        let lost = Set(dropped.map(\.node))
        for node in given where seen.insert(node).inserted && record[node].isRelevant {
            if lost.contains(node) {
                accepted -= 1
                note(.choice, at: node, message: "is not among the choices that are offered now")
                continue
            }
            guard let answer = record.answer(of: node), let reason = state.failure(of: answer, at: node) else {
                continue
            }
            problems.append(FillMessages(state: state, language: language).problem(reason, at: node))
            accepted -= 1
            note(state.answer(nil, at: node, now: now))
        }
        given = []
        takeNotices(besides: seen)
        for (node, value) in calculated { compare(value, at: node) }
        calculated = []
    }

    /// - Parameter answered: nodes of which a problem says it.
    private mutating func takeNotices(besides answered: Set<Record.ID>) {
        settledNotices += dropped.filter { !answered.contains($0.node) }.map(\.line)
        dropped = []
    }

    /// A script may hand back a record with its calculated values.
    private mutating func compare(_ value: JSONValue, at node: Record.ID) {
        guard let type = outline[record[node].formNode].type else { return }
        let present = record.answer(of: node)
        if value.isNull ? present == nil : Answer(value, type: type) == present { return }
        let text = present.map { "'\($0.text.printableLine.shortened(toScalars: FormLibraryLimits.quotedAnswer))'" }
        note(.type, at: node, message: "is calculated, and is \(text ?? "empty"); leave it out")
    }
}
