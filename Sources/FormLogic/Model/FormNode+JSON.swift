import DocumentValues

extension FormNode {
    /// Reads a node and all below it.
    ///
    /// - Parameter depth: groups and repeats around it.
    static func read(_ object: JSONObject, path: String, depth: Int) -> (node: FormNode, problems: [FormProblem]) {
        var reader = MemberReader(object, path: path)
        let name = reader.name("name")
        if name == nil, object["name"] == nil { reader.report("is missing", at: "name") }
        var node = FormNode(name: name ?? "", kind: readKind(from: &reader, object: object))
        node.readTexts(from: &reader)
        node.readRules(from: &reader)
        node.readNodes(from: &reader, depth: depth)
        node.rest = reader.rest
        return (node, reader.problems)
    }

    /// A type that cannot be read stays in the rest, and the node is a text.
    private static func readKind(from reader: inout MemberReader, object: JSONObject) -> Kind {
        guard let type = object["type"] else {
            reader.report("is missing", at: "type")
            return .question(.text)
        }
        let kind = reader.take("type", or: "'\(type.stringValue ?? "\(type)")' is no type of question") { value in
            value.stringValue.flatMap { Kind(typeName: $0) }
        }
        guard let kind else { return .question(.text) }
        guard case .question(.select(let select, let source)) = kind else { return kind }
        return .question(.select(select, from: readSource(like: source, reader: &reader)))
    }

    private static func readSource(
        like source: QuestionType.ChoiceSource, reader: inout MemberReader
    ) -> QuestionType.ChoiceSource {
        let key = if case .file = source { "file" } else { "list" }
        guard let name = reader.name(key) else {
            reader.report("is needed by a question with choices", at: key)
            return source
        }
        return switch source {
        case .file: .file(name)
        case .external: .external(name)
        case .list, .answers: QuestionType.ChoiceSource(listText: name)
        }
    }

    private mutating func readTexts(from reader: inout MemberReader) {
        label = reader.formText("label")
        hint = reader.formText("hint")
        guidanceHint = reader.formText("guidance_hint")
        media = reader.media("media") ?? FormMedia()
        requiredMessage = reader.formText("required_message")
        constraintMessage = reader.formText("constraint_message")
    }

    private mutating func readRules(from reader: inout MemberReader) {
        required = reader.text("required")
        constraint = reader.text("constraint")
        relevant = reader.text("relevant")
        readOnly = reader.text("read_only")
        calculation = reader.text("calculation")
        trigger = (reader.texts("trigger") ?? []).map { Name($0) }
        defaultValue = reader.text("default")
        choiceFilter = reader.text("choice_filter")
        repeatCount = reader.text("repeat_count")
        if kind == .repeat { firstInstances = reader.objects("instances") ?? [] }
        appearance = reader.texts("appearance") ?? []
        parameters = reader.namedTexts("parameters") ?? []
        saveTo = reader.text("save_to")
        sourceRow = reader.row("source_row")
    }

    private mutating func readNodes(from reader: inout MemberReader, depth: Int) {
        guard kind == .group || kind == .repeat else { return }
        // A member that is too deep stays unread.
        let isTooDeep = depth >= FormLimits.depth
        let message =
            isTooDeep
            ? "groups and repeats may be \(FormLimits.depth) levels deep" : "must be a list of objects"
        let objects = reader.take("nodes", or: message) { isTooDeep ? nil : $0.objects }
        let read = FormNode.readAll(objects ?? [], path: reader.path(of: "nodes"), depth: depth + 1)
        nodes = read.nodes
        reader.add(read.problems)
    }

    static func readAll(
        _ objects: [JSONObject], path: String, depth: Int
    ) -> (nodes: [FormNode], problems: [FormProblem]) {
        var result: (nodes: [FormNode], problems: [FormProblem]) = ([], [])
        for (index, object) in objects.enumerated() {
            let read = FormNode.read(object, path: "\(path)[\(index)]", depth: depth)
            result.nodes.append(read.node)
            result.problems += read.problems
        }
        return result
    }

    /// As a definition has it.
    package var object: JSONObject {
        var writer = MemberWriter()
        writer.add("name", name: name)
        writeKind(to: &writer)
        writer.add("label", formText: label)
        writer.add("hint", formText: hint)
        writer.add("guidance_hint", formText: guidanceHint)
        writer.add("media", media: media)
        writer.add("required", text: required)
        writer.add("required_message", formText: requiredMessage)
        writer.add("constraint", text: constraint)
        writer.add("constraint_message", formText: constraintMessage)
        writer.add("relevant", text: relevant)
        writer.add("read_only", text: readOnly)
        writer.add("calculation", text: calculation)
        writer.add("trigger", texts: trigger.map(\.text))
        writer.add("default", text: defaultValue)
        writer.add("choice_filter", text: choiceFilter)
        writer.add("repeat_count", text: repeatCount)
        writer.add("instances", objects: firstInstances)
        writer.add("appearance", texts: appearance)
        writer.add("parameters", named: parameters)
        writer.add("save_to", text: saveTo)
        writer.add("source_row", row: sourceRow)
        writer.add("nodes", objects: nodes.map(\.object))
        return writer.object(with: rest)
    }

    private func writeKind(to writer: inout MemberWriter) {
        writer.add("type", text: kind.typeName)
        guard case .question(.select(_, let source)) = kind else { return }
        switch source {
        case .list(let name), .external(let name): writer.add("list", name: name)
        case .file(let name): writer.add("file", name: name)
        case .answers(let name): writer.add("list", text: "${\(name.text)}")
        }
    }
}

extension FormNode.Kind {
    package var typeName: String {
        switch self {
        case .question(let type): type.typeName
        case .group: "group"
        case .repeat: "repeat"
        }
    }

    /// By the name that a definition has for it; the source of a select's choices is empty.
    package init?(typeName: String) {
        switch typeName {
        case "group": self = .group
        case "repeat": self = .repeat
        default:
            guard let type = QuestionType(typeName: typeName) else { return nil }
            self = .question(type)
        }
    }
}

extension QuestionType {
    /// By the name that a definition has for it; the source of a select's choices is empty.
    package init?(typeName: String) {
        if let plain = PlainType(exactly: typeName) {
            self = .plain(plain)
        } else if let kind = SelectKind(exactly: typeName) {
            self = .select(kind, from: .list(""))
        } else if typeName.hasSuffix("_from_file"),
            let kind = SelectKind(exactly: String(typeName.dropLast("_from_file".count))), kind != .rank
        {
            self = .select(kind, from: .file(""))
        } else if typeName == "select_one_external" {
            self = .select(.one, from: .external(""))
        } else {
            return nil
        }
    }
}

extension QuestionType.ChoiceSource {
    /// A list, or the answers to a question where it is written as `${name}`.
    package init(listText name: Name) {
        let text = name.text
        if text.hasPrefix("${"), text.hasSuffix("}"), text.utf8.count > 3 {
            self = .answers(Name(Substring(text.utf8.dropFirst(2).dropLast())))
        } else {
            self = .list(name)
        }
    }
}
