import DocumentValues

extension Record {
    /// The member with an instance's key.
    package static let keyMember = "@key"

    /// The answers as a record stores them: groups are objects, repeats arrays; a question without an answer is left out.
    ///
    /// - Parameter isFinal: without all that is not relevant.
    package func answers(isFinal: Bool = false) -> JSONObject { object(of: Self.root, isFinal: isFinal) }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private func object(of id: ID, isFinal: Bool) -> JSONObject {
        var members: [JSONObject.Member] = []
        if let key = self[id].key { members.append(.init(key: Self.keyMember, value: .string(key.text))) }
        if case .group(let slots) = self[id].content {
            for slot in slots {
                guard let value = value(of: slot, isFinal: isFinal), let first = slot.ids.first else { continue }
                members.append(.init(key: outline[self[first].formNode].node.name.text, value: value))
            }
        }
        return JSONObject(members: members).setting(self[id].rest ?? [:])
    }

    private func value(of slot: Slot, isFinal: Bool) -> JSONValue? {
        switch slot {
        case .one(let id):
            if isFinal, !self[id].isRelevant { return nil }
            if case .answer(let answer) = self[id].content { return answer?.json }
            let object = object(of: id, isFinal: isFinal)
            return object.isEmpty ? nil : .object(object)
        case .many(let ids):
            let kept = ids.filter { !isFinal || self[$0].isRelevant }
            return kept.isEmpty ? nil : .array(kept.map { .object(object(of: $0, isFinal: isFinal)) })
        }
    }

    /// Reads stored answers. What the form does not have, or cannot hold, is kept with the problem, and written again.
    ///
    /// - Parameter newKey: a key for an instance that has none.
    package static func read(
        _ answers: JSONObject, outline: FormOutline, newKey: () -> Name
    ) -> (record: Record, problems: [FormProblem]) {
        var record = Record(outline)
        var problems: [FormProblem] = []
        record.read(answers, into: root, path: "", problems: &problems, newKey: newKey)
        return (record, problems)
    }

    private mutating func read(
        _ object: JSONObject, into id: ID, path: String, problems: inout [FormProblem], newKey: () -> Name
    ) {
        var rest: [JSONObject.Member] = []
        for member in object.members where member.key != Self.keyMember {
            let memberPath = "\(path)/\(member.key)"
            let message: String?
            if let child = outline.child(of: self[id].formNode, named: Name(member.key)) {
                message = read(
                    member.value, child: child, of: id, path: memberPath, problems: &problems, newKey: newKey)
            } else {
                message = "the form has no such question"
            }
            guard let message else { continue }
            problems.append(FormProblem(path: memberPath, message: message))
            rest.append(member)
        }
        setRest(JSONObject(members: rest), of: id)
    }

    /// The fault of the value; `nil` where it was taken.
    private mutating func read(
        _ value: JSONValue, child: FormOutline.ID, of id: ID, path: String, problems: inout [FormProblem],
        newKey: () -> Name
    ) -> String? {
        if outline[child].isRepeat {
            guard let objects = value.objects else { return "must be a list of instances" }
            guard objects.count <= FormLimits.instances else {
                return "more than \(FormLimits.instances) instances"
            }
            for (index, object) in objects.enumerated() {
                let key = object[Self.keyMember]?.stringValue.map { Name($0) } ?? newKey()
                guard let instance = addInstance(of: child, in: id, key: key) else {
                    return "more than \(FormLimits.recordNodes) answers"
                }
                read(object, into: instance, path: "\(path)[\(index + 1)]", problems: &problems, newKey: newKey)
            }
            return nil
        }
        guard let node = children(of: id, formNode: child).first else { return "the form has no such question" }
        guard let type = outline[child].type else {
            guard let object = value.objectValue else { return "must be a group of answers" }
            read(object, into: node, path: path, problems: &problems, newKey: newKey)
            return nil
        }
        guard let answer = Answer(value, type: type) else { return "no answer to a question of type \(type.typeName)" }
        setAnswer(answer, of: node)
        return nil
    }
}
