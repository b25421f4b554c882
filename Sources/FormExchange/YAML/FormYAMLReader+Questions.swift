import DocumentValues
import FormLogic

/// Questions, groups and repeats: `type name: label`, followed by further keys.
extension FormYAMLReader {
    mutating func readQuestions(_ node: YAMLNode, owner: String) -> [FormNode] {
        if node.isEmptyText { return [] }
        var read: [FormNode] = []
        for item in items(of: node, owner: owner) ?? [] {
            switch item.content {
            case .text(let text):
                let key = YAMLKey(name: Name(text), position: item.position)
                let heading = YAMLEntry(key: key, value: YAMLNode(.text(""), at: item.position))
                read += readQuestion(heading, members: [])
            case .map:
                guard let entries = entries(of: item, owner: "a question"), let heading = entries.first else {
                    continue
                }
                read += readQuestion(heading, members: Array(entries.dropFirst()))
            case .list: reportShape(of: item, owner: owner, expected: "'type name: label'")
            }
        }
        return read
    }

    /// A question, and those that it stands for besides itself.
    private mutating func readQuestion(_ heading: YAMLEntry, members: [YAMLEntry]) -> [FormNode] {
        guard let read = readHeading(heading, members: members) else { return [] }
        var node = read.node
        // The question of a count comes before its repeat, so its index is known only now.
        var reader = QuestionMembers(node: node, addsOther: read.addsOther)
        let children = readMembers(members, heading: heading, into: &reader)
        node = reader.node
        var nodes: [FormNode] = []
        if let count = CountQuestion.split(from: &node) {
            note(count, like: reader.positions["repeat_count"] ?? heading.key.position)
            nodes.append(count)
        }
        let index = self.nodes
        self.nodes += 1
        notePositions(of: reader, heading: heading, index: index)
        if let children { node.nodes = readQuestions(children, owner: "questions of '\(node.name.text)'") }
        nodes.append(node)
        if read.addsOther {
            let other = OtherChoice.question(after: node, languages: form.languages)
            note(other, like: heading.key.position)
            nodes.append(other)
        }
        return nodes
    }

    /// A node that is made of another's.
    private mutating func note(_ node: FormNode, like position: YAMLPosition) {
        note(FormPart(.node(nodes)), at: position)
        nodes += 1
    }

    private mutating func notePositions(of members: QuestionMembers, heading: YAMLEntry, index: Int) {
        let owner = FormPart.Owner.node(index)
        note(FormPart(owner), at: heading.key.position)
        for (member, position) in members.positions { note(FormPart(owner, member: member), at: position) }
        for text in members.texts {
            note(FormPart(owner, member: text.member, language: text.language), at: text.position)
        }
    }

    // MARK: - Type and name

    private mutating func readHeading(
        _ heading: YAMLEntry, members: [YAMLEntry]
    ) -> (node: FormNode, addsOther: Bool)? {
        let parts = heading.key.text.split(atByte: " ")
        let known = QuestionMember(exactly: heading.key.text) != nil
        guard let last = parts.last, !known else {
            isPartial = true
            report(
                .unknownType, at: heading.key.position,
                message: known
                    ? "a question begins with '\(heading.key.text)'." : "a question without type and name.",
                hint: "Its first key is its type and its name, such as 'text remarks'.")
            return nil
        }
        let type = parts.dropLast().joined(separator: " ")
        var node = FormNode(name: Name(last), kind: .question(.text))
        node.sourceRow = heading.key.position.line
        var addsOther = false
        do {
            (node.kind, addsOther, node.constraint) = try Self.kind(of: type, whole: heading.key.text)
        } catch {
            report(error.code, at: heading.key.position, message: error.message, hint: error.hint)
            guard !type.isEmpty else {
                isPartial = true
                return nil
            }
            // Its name is known to other questions.
            if members.contains(where: { $0.key.text == "questions" }) { node.kind = .group }
        }
        // Whatever its author calls it, the log of a record has one name.
        if case .question(.plain(.audit)) = node.kind { node.name = "audit" }
        if addsOther { checkOther(node, heading: heading, members: members) }
        return (node, addsOther)
    }

    private static func kind(
        of type: String, whole: String
    ) throws(TypeProblem) -> (kind: FormNode.Kind, addsOther: Bool, constraint: String?) {
        switch type {
        case "group": return (.group, false, nil)
        case "repeat": return (.repeat, false, nil)
        default:
            // `text` alone is a type without a name.
            if type.isEmpty, (try? TypeText(parsing: whole)) != nil || whole == "group" || whole == "repeat" {
                throw TypeProblem(noName: whole)
            }
            let read = try TypeText(parsing: type)
            return (.question(read.type), read.addsOther, read.constraint)
        }
    }

    private mutating func checkOther(_ node: FormNode, heading: YAMLEntry, members: [YAMLEntry]) {
        if members.contains(where: { $0.key.text == "choice_filter" }) {
            report(
                .badChoices, at: heading.key.position,
                message: "'\(node.name.text)' has or_other and a choice_filter, which would hide the choice 'other'.",
                hint: "Write the choice and its question yourself.")
        }
        guard case .select(_, from: .list(let list))? = node.type else {
            report(
                .badChoices, at: heading.key.position,
                message: "'\(node.name.text)' has or_other, which needs a list of the form.")
            return
        }
        listsWithOther.append(list)
    }
}
