import DocumentValues
import FormLogic

/// The keys of a question behind its heading.
enum QuestionMember: String, CaseIterable {
    case label, hint
    case guidanceHint = "guidance_hint"
    case media, required
    case requiredMessage = "required_message"
    case constraint
    case constraintMessage = "constraint_message"
    case relevant
    case readOnly = "read_only"
    case calculation, trigger
    case defaultValue = "default"
    case choiceFilter = "choice_filter"
    case repeatCount = "repeat_count"
    case instances
    case appearance, parameters
    case saveTo = "save_to"
    /// Attributes of other programs, which are kept and have no meaning here.
    case attributes
    case questions
}

/// A question while its keys are read, and where they are.
struct QuestionMembers {
    struct Text {
        let member: Name
        let language: Name
        let position: YAMLPosition
    }

    var node: FormNode
    let addsOther: Bool
    var positions: [Name: YAMLPosition] = [:]
    var texts: [Text] = []
}

extension FormYAMLReader {
    /// - Returns: the value of `questions`.
    mutating func readMembers(
        _ members: [YAMLEntry], heading: YAMLEntry, into question: inout QuestionMembers
    ) -> YAMLNode? {
        let owner = question.node.name.text
        question.node.label = translated(heading.value, member: .label, of: &question)
        let known = QuestionMember.allCases.filter {
            switch $0 {
            case .questions: question.node.type == nil
            case .repeatCount, .instances: question.node.isRepeat
            default: true
            }
        }
        var children: YAMLNode?
        for entry in members {
            guard let member = QuestionMember(exactly: entry.key.text), known.contains(member) else {
                reportUnknown(entry.key, in: "'\(owner)'", known: known.map(\.rawValue))
                continue
            }
            question.positions[entry.key.name] = entry.value.position
            if member == .questions { children = entry.value } else { read(member, value: entry.value, of: &question) }
        }
        return children
    }

    private mutating func read(_ member: QuestionMember, value: YAMLNode, of question: inout QuestionMembers) {
        let owner = "\(member.rawValue) of '\(question.node.name.text)'"
        switch member {
        case .label: question.node.label = translated(value, member: member, of: &question) ?? question.node.label
        case .hint: question.node.hint = translated(value, member: member, of: &question)
        case .guidanceHint: question.node.guidanceHint = translated(value, member: member, of: &question)
        case .requiredMessage: question.node.requiredMessage = translated(value, member: member, of: &question)
        case .constraintMessage: question.node.constraintMessage = translated(value, member: member, of: &question)
        case .media: question.node.media = media(of: value, owner: owner)
        case .trigger: question.node.trigger = list(of: value, owner: owner).map { Name(Self.bare($0)) }
        case .appearance: question.node.appearance = list(of: value, owner: owner)
        case .parameters: question.node.parameters = parameters(of: value, owner: owner)
        case .instances: question.node.firstInstances = instances(of: value, owner: owner)
        case .attributes: question.node.rest = attributes(of: value, owner: owner)
        case .required, .constraint, .relevant, .readOnly, .calculation, .defaultValue, .choiceFilter, .repeatCount,
            .saveTo:
            guard let text = text(of: value, owner: owner) else { return }
            Self.set(member, of: &question.node, to: text)
        case .questions: break
        }
    }

    private static func set(_ member: QuestionMember, of node: inout FormNode, to text: String) {
        switch member {
        case .required: node.required = TruthText.expression(text)
        case .constraint:
            let own = TruthText.expression(text)
            node.constraint = node.constraint.map { "(\($0)) and (\(own))" } ?? own
        case .relevant: node.relevant = TruthText.expression(text)
        case .readOnly: node.readOnly = TruthText.expression(text)
        case .calculation: node.calculation = TruthText.expression(text)
        case .defaultValue: node.defaultValue = text
        case .choiceFilter: node.choiceFilter = text
        case .repeatCount: node.repeatCount = text
        case .saveTo: node.saveTo = text
        case .label, .hint, .guidanceHint, .media, .requiredMessage, .constraintMessage, .trigger, .appearance,
            .parameters, .instances, .attributes, .questions:
            break
        }
    }

    /// Notes where its translations are.
    private mutating func translated(
        _ value: YAMLNode, member: QuestionMember, of question: inout QuestionMembers
    ) -> FormText? {
        if member != .label || !value.isEmptyText { question.positions[Name(member.rawValue)] = value.position }
        if case .map(let entries) = value.content {
            question.texts += entries.map {
                QuestionMembers.Text(
                    member: Name(member.rawValue), language: $0.key.name, position: $0.value.position)
            }
        }
        return texts(of: value, owner: "\(member.rawValue) of '\(question.node.name.text)'")
    }

    /// Separated by spaces, or a list of texts.
    private mutating func list(of value: YAMLNode, owner: String) -> [String] {
        switch value.content {
        case .text(let text): return text.split(atByte: " ").map(String.init)
        case .list(let items): return items.compactMap { text(of: $0, owner: owner) }
        case .map:
            reportShape(of: value, owner: owner, expected: "a text or a list")
            return []
        }
    }

    /// `age` of `${age}`.
    private static func bare(_ name: String) -> String {
        guard CountQuestion.isReference(name) else { return name }
        return String(Substring(name.utf8.dropFirst(2).dropLast()))
    }

    private mutating func instances(of value: YAMLNode, owner: String) -> [JSONObject] {
        (items(of: value, owner: owner) ?? []).compactMap { texts(ofInstance: $0, owner: owner) }
    }

    /// Texts by names, as deep as YAML may be.
    private mutating func texts(ofInstance node: YAMLNode, owner: String) -> JSONObject? {
        guard let entries = entries(of: node, owner: owner) else { return nil }
        var members: [JSONObject.Member] = []
        for entry in entries {
            let value: JSONValue? =
                switch entry.value.content {
                case .text(let text): .string(text)
                case .map: texts(ofInstance: entry.value, owner: owner).map { .object($0) }
                case .list: .array(instances(of: entry.value, owner: owner).map { .object($0) })
                }
            if let value { members.append(JSONObject.Member(key: entry.key.text, value: value)) }
        }
        return JSONObject(members: members)
    }

    private mutating func attributes(of value: YAMLNode, owner: String) -> JSONObject {
        let members = (entries(of: value, owner: owner) ?? []).compactMap { entry in
            text(of: entry.value, owner: owner).map { JSONObject.Member(key: entry.key.text, value: .string($0)) }
        }
        return JSONObject(members: members)
    }

    private mutating func parameters(of value: YAMLNode, owner: String) -> [NamedText] {
        var lines: Set<Name> = []
        return (entries(of: value, owner: owner) ?? []).compactMap { entry in
            let name = Name(entry.key.text.lowercased())
            guard lines.insert(name).inserted else {
                report(.badParameter, at: entry.key.position, message: "\(owner): '\(name.text)' is there twice.")
                return nil
            }
            guard let text = entry.value.text else {
                reportShape(of: entry.value, owner: "\(owner), '\(name.text)'", expected: "a text")
                return nil
            }
            return NamedText(name: name, text: text)
        }
    }
}
