import DocumentValues
import FormLogic

/// Takes the answers of a record into another version of its form.
struct AnswerCarrying {
    private let old: Form
    private let new: Form
    private let record: Record
    private let target: FormOutline
    private let conversion: AnswerConversion
    private(set) var steps: [UpgradePlan.Step] = []
    private(set) var answers = JSONObject()
    private(set) var former: [JSONObject] = []
    private(set) var fresh: Set<FormOutline.ID> = []
    /// Where each question or repeat of the former version is now.
    private var targets: [FormOutline.ID: FormOutline.ID] = [:]

    private var source: FormOutline { record.outline }

    init(from old: Form, to new: Form, record: Record, conversions: Conversions) {
        self.old = old
        self.new = new
        self.record = record
        target = FormOutline(new)
        conversion = AnswerConversion(lists: new.lists, conversions: conversions)
    }

    mutating func run(earlier: [JSONObject]) {
        for id in source.entries.indices.dropFirst() where source[id].type != nil || source[id].isRepeat {
            targets[id] = target(of: id)
        }
        let met = Set(targets.values)
        for (id, entry) in target.entries.enumerated() where entry.type != nil && !met.contains(id) {
            fresh.insert(id)
        }
        answers = carried(Record.root)
        for entry in earlier where !isBack(entry) { former.append(entry) }
        for id in fresh.sorted() where target[id].type?.isVisible == true {
            steps.append(UpgradePlan.Step(Self.text(target.path(of: id)), outcome: .new))
        }
    }

    // MARK: Where questions are

    /// The node of the same path; otherwise the only one of that name, if it is the only one in both versions and has the same
    /// type.
    private func target(of id: FormOutline.ID) -> FormOutline.ID? {
        var found: FormOutline.ID? = FormOutline.root
        for name in source.path(of: id).dropFirst() {
            found = found.flatMap { target.child(of: $0, named: name) }
        }
        if let found, target[found].type != nil || source[id].isRepeat { return found }
        let name = source[id].node.name
        let (before, after) = (source.nodes(named: name), target.nodes(named: name))
        guard before.count == 1, after.count == 1, source[id].node.kind == target[after[0]].node.kind else {
            return nil
        }
        return after[0]
    }

    /// The repeats around a node, by their names.
    private static func repeats(around id: FormOutline.ID, in outline: FormOutline) -> [Name] {
        outline.ancestry(of: id).dropLast().filter { outline[$0].isRepeat }.map { outline[$0].node.name }
    }

    private static func text(_ path: [Name]) -> String { path.dropFirst().map(\.text).joined(separator: "/") }

    // MARK: Answers

    /// The answers of the record, or of an instance of a repeat, in their new paths below it.
    private mutating func carried(_ context: Record.ID) -> JSONObject {
        var object = JSONObject()
        if let key = record[context].key { object[Record.keyMember] = .string(key.text) }
        var open = record.children(of: context).reversed() as [Record.ID]
        var seen: Set<FormOutline.ID> = []
        while let node = open.popLast() {
            let formNode = record[node].formNode
            if source[formNode].isRepeat {
                guard seen.insert(formNode).inserted, let parent = record[node].parent else { continue }
                carry(record.children(of: parent, formNode: formNode), of: formNode, into: &object)
            } else if source[formNode].type == nil {
                open += record.children(of: node).reversed()
            } else {
                carry(node, into: &object)
            }
        }
        return object
    }

    private mutating func carry(_ node: Record.ID, into object: inout JSONObject) {
        guard let answer = record.answer(of: node), let type = source[record[node].formNode].type else { return }
        let path = record.numberedPath(of: node)
        guard let found = targets[record[node].formNode] else { return keepAsFormer(node, because: .gone) }
        guard let newType = target[found].type else { return keepAsFormer(node, because: .gone) }
        guard let way = way(to: found, from: record[node].formNode) else {
            return keepAsFormer(node, because: .otherRepeat)
        }
        guard let value = conversion.value(answer, from: type, to: newType) else {
            return keepAsFormer(node, because: .type(from: type.typeName, to: newType.typeName))
        }
        Self.insert(value, at: way[...], into: &object)
        let newPath = Self.text(target.path(of: found))
        if newPath != Self.text(source.path(of: record[node].formNode)) {
            steps.append(UpgradePlan.Step(path, outcome: .moved(to: newPath)))
        }
        if type.typeName != newType.typeName {
            steps.append(
                UpgradePlan.Step(path, outcome: .converted(from: type.typeName, to: newType.typeName)))
        }
        for name in conversion.missingChoices(value, type: newType) {
            steps.append(UpgradePlan.Step(path, outcome: .noLongerOffered(name)))
        }
    }

    private mutating func carry(
        _ instances: [Record.ID], of formNode: FormOutline.ID, into object: inout JSONObject
    ) {
        guard let found = targets[formNode], target[found].type == nil, let way = way(to: found, from: formNode) else {
            let reason = targets[formNode] == nil ? UpgradePlan.Step.Reason.gone : .otherRepeat
            for instance in instances { keepAllAsFormer(instance, because: reason) }
            return
        }
        guard target[found].isRepeat else {
            // A repeat that became a group.
            if let first = instances.first {
                var group = carried(first)
                group[Record.keyMember] = nil
                Self.insert(.object(group), at: way[...], into: &object)
            }
            for instance in instances.dropFirst() { keepAllAsFormer(instance, because: .oneInstance) }
            return
        }
        let objects = instances.map { JSONValue.object(carried($0)) }
        if !objects.isEmpty { Self.insert(.array(objects), at: way[...], into: &object) }
    }

    // MARK: Ways

    /// A step down from the record or an instance to a node in the new version.
    private struct WayStep {
        let name: String
        /// A group that has become a repeat: its answers are those of one instance.
        let isNewRepeat: Bool
    }

    /// `nil` where the node is in another repeat now.
    private func way(to id: FormOutline.ID, from former: FormOutline.ID) -> [WayStep]? {
        let before = Self.repeats(around: former, in: source)
        let groups = Set(source.ancestry(of: former).filter { !source[$0].isRepeat }.map { source[$0].node.name })
        var way: [WayStep] = []
        var repeats: [Name] = []
        for step in target.ancestry(of: id).dropFirst() {
            let (name, isLast) = (target[step].node.name, step == id)
            if target[step].isRepeat, !isLast, before.contains(name) {
                repeats.append(name)
                way = []
            } else {
                guard !target[step].isRepeat || isLast || groups.contains(name) else { return nil }
                way.append(WayStep(name: name.text, isNewRepeat: target[step].isRepeat && !isLast))
            }
        }
        // A repeat that became a group carries its answers along with it.
        let left = before.filter { !repeats.contains($0) }
        guard left.allSatisfy({ name in target.ancestry(of: id).contains { target[$0].node.name == name } }) else {
            return nil
        }
        if let last = left.last, let index = way.lastIndex(where: { Name($0.name) == last }) {
            way.removeSubrange(...index)
        }
        return way
    }

    private static func insert(_ value: JSONValue, at way: ArraySlice<WayStep>, into object: inout JSONObject) {
        guard let step = way.first else {
            // The answers of a group as a whole.
            if let answers = value.objectValue { object = object.setting(answers) }
            return
        }
        guard way.count > 1 else {
            if let present = object[step.name]?.objectValue, let added = value.objectValue {
                object[step.name] = .object(present.setting(added))
            } else {
                object[step.name] = value
            }
            return
        }
        let present = step.isNewRepeat ? object[step.name]?.arrayValue?.first : object[step.name]
        var inner = present?.objectValue ?? JSONObject()
        insert(value, at: way.dropFirst(), into: &inner)
        object[step.name] = step.isNewRepeat ? .array([.object(inner)]) : .object(inner)
    }

    // MARK: Answers without a question

    private mutating func keepAllAsFormer(_ instance: Record.ID, because reason: UpgradePlan.Step.Reason) {
        var open = [instance]
        while let node = open.popLast() {
            open += record.children(of: node).reversed()
            if record.answer(of: node) != nil { keepAsFormer(node, because: reason) }
        }
    }

    private mutating func keepAsFormer(_ node: Record.ID, because reason: UpgradePlan.Step.Reason) {
        guard let answer = record.answer(of: node) else { return }
        let question = source[record[node].formNode].node
        // The next opening computes questions without a control.
        guard question.type?.isVisible == true else { return }
        var entry: JSONObject = [
            "path": .string(record.numberedPath(of: node)), "version": .string(old.version), "value": answer.json,
        ]
        entry["label"] = (question.label?.text(in: old.language) ?? question.label?.all.first).map { .string($0) }
        former.append(entry)
        steps.append(UpgradePlan.Step(record.numberedPath(of: node), outcome: .former(reason)))
    }

    /// Takes back an answer that an earlier version had, if the question is there again and has none.
    private mutating func isBack(_ entry: JSONObject) -> Bool {
        guard let path = entry["path"]?.stringValue, let value = entry["value"], !path.utf8.contains(UInt8(ascii: "["))
        else { return false }
        var found: FormOutline.ID? = FormOutline.root
        for name in path.split(atByte: "/") { found = found.flatMap { target.child(of: $0, named: Name(name)) } }
        guard let found, fresh.contains(found), target[found].enclosingRepeat == nil, let type = target[found].type,
            Answer(value, type: type) != nil
        else { return false }
        let way = target.path(of: found).dropFirst().map { WayStep(name: $0.text, isNewRepeat: false) }
        Self.insert(value, at: way[...], into: &answers)
        fresh.remove(found)
        steps.append(UpgradePlan.Step(path, outcome: .returned))
        return true
    }
}
