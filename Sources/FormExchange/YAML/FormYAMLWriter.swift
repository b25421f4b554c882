import DocumentValues
import FormLogic

/// Writes a form as YAML that reads back as the same form, but for where it comes from.
struct FormYAMLWriter {
    private(set) var text = ""

    static func write(_ form: Form) -> String {
        var writer = FormYAMLWriter()
        writer.writeHead(of: form)
        writer.writeLists(of: form)
        writer.writeRest(of: form)
        writer.line("questions:", indent: 0)
        for node in form.nodes { writer.write(node, indent: 2) }
        return writer.text
    }

    // MARK: - Lines

    mutating func line(_ content: String, indent: Int) {
        text += String(repeating: " ", count: indent) + content + "\n"
    }

    /// `key: value`, or nothing without a value.
    private mutating func entry(_ key: String, value: String?, indent: Int) {
        guard let value else { return }
        line(Self.key(key) + ":" + (value.isEmpty ? "" : " " + value), indent: indent)
    }

    private static func key(_ key: String) -> String { YAMLQuoting.scalar(key, inFlow: false) }

    private static func scalar(_ text: String?) -> String? { text.map { YAMLQuoting.scalar($0, inFlow: false) } }

    private static func flow(_ text: String) -> String { YAMLQuoting.scalar(text, inFlow: true) }

    private static func flow(_ text: FormText, inFlow: Bool = false) -> String {
        switch text {
        case .plain(let text): YAMLQuoting.scalar(text, inFlow: inFlow)
        case .translated(let translations):
            map(translations.map { ($0.language.text, flow($0.text)) })
        }
    }

    private static func map(_ entries: [(key: String, value: String)]) -> String {
        "{" + entries.map { "\(flow($0.key)): \($0.value)" }.joined(separator: ", ") + "}"
    }

    private static func map(_ texts: [NamedText]) -> String? {
        texts.isEmpty ? nil : map(texts.map { ($0.name.text, flow($0.text)) })
    }

    /// One name by itself, several in brackets.
    private static func list(_ texts: [String]) -> String? {
        switch texts.count {
        case 0: nil
        case 1 where !texts[0].utf8.contains(UInt8(ascii: " ")): scalar(texts[0])
        default: "[" + texts.map(flow).joined(separator: ", ") + "]"
        }
    }

    /// The members that are texts.
    private static func texts(_ object: JSONObject) -> [NamedText] {
        object.members.compactMap { member in
            member.value.stringValue.map { NamedText(name: Name(member.key), text: $0) }
        }
    }

    private static func media(_ media: FormMedia) -> String? {
        media.isEmpty ? nil : map(media.items.map { ($0.kind.rawValue, flow($0.file, inFlow: true)) })
    }

    private static func instances(_ instances: [JSONObject]) -> String? {
        instances.isEmpty ? nil : flow(.array(instances.map { .object($0) }))
    }

    /// Texts, objects and lists of them in one line.
    private static func flow(_ value: JSONValue) -> String {
        if let object = value.objectValue { return map(object.members.map { ($0.key, flow($0.value)) }) }
        if let elements = value.arrayValue { return "[" + elements.map { flow($0) }.joined(separator: ", ") + "]" }
        return flow(value.stringValue ?? value.description)
    }

    private static func yes(_ flag: Bool) -> String? { flag ? "yes" : nil }

    // MARK: - The form

    private mutating func writeHead(of form: Form) {
        entry("form", value: Self.scalar(form.id.text), indent: 0)
        entry("version", value: form.version.isEmpty ? nil : Self.scalar(form.version), indent: 0)
        entry("title", value: Self.flow(form.title), indent: 0)
        if !form.languages.isEmpty {
            entry(
                "languages", value: Self.map(form.languages.map { ($0.code.text, Self.flow($0.name)) }), indent: 0)
        }
        entry("default_language", value: Self.scalar(form.defaultLanguage?.text), indent: 0)
        entry("instance_name", value: Self.scalar(form.instanceName), indent: 0)
        entry("root", value: form.root == "data" ? nil : Self.scalar(form.root.text), indent: 0)
        entry("style", value: Self.scalar(form.settings.style), indent: 0)
        entry("allow_choice_duplicates", value: Self.yes(form.settings.allowChoiceDuplicates), indent: 0)
        entry("client_editable", value: Self.yes(form.settings.clientEditable), indent: 0)
        entry("omit_instanceID", value: Self.yes(form.settings.omitInstanceID), indent: 0)
        if case .inspection(let bound) = form.record {
            entry("record", value: "inspection", indent: 0)
            entry("bind", value: Self.map(bound), indent: 0)
        }
        entry("settings", value: Self.map(Self.texts(form.settings.rest)), indent: 0)
    }

    private mutating func writeLists(of form: Form) {
        guard !form.lists.isEmpty else { return }
        line("lists:", indent: 0)
        for list in form.lists {
            line(Self.key(list.name.text) + ":" + (list.choices.isEmpty ? " []" : ""), indent: 2)
            let areLabels = list.choices.allSatisfy { $0.columns.isEmpty && $0.media.isEmpty && !$0.name.isEmpty }
            for choice in list.choices {
                if areLabels {
                    entry(choice.name.text, value: choice.label.map { Self.flow($0) } ?? "", indent: 4)
                } else {
                    line("- " + Self.map(Self.members(of: choice)), indent: 4)
                }
            }
        }
    }

    private static func members(of choice: Choice) -> [(key: String, value: String)] {
        var members = [(key: "name", value: flow(choice.name.text))]
        if let label = choice.label { members.append(("label", flow(label, inFlow: true))) }
        if let media = media(choice.media) { members.append(("media", media)) }
        return members + choice.columns.map { ($0.name.text, flow($0.text)) }
    }

    private mutating func writeRest(of form: Form) {
        if !form.files.isEmpty {
            entry(
                "files",
                value: "["
                    + form.files.map { Self.flow($0.name.text) }
                    .joined(separator: ", ") + "]", indent: 0)
        }
        if !form.texts.isEmpty {
            line("texts:", indent: 0)
            for entry in form.texts { self.entry(entry.id.text, value: Self.flow(entry.text), indent: 2) }
        }
        guard !form.entities.isEmpty else { return }
        line("entities:", indent: 0)
        for entity in form.entities {
            let members: [(String, String?)] = [
                ("list_name", entity.listName.text), ("label", entity.label), ("entity_id", entity.entityID),
                ("create_if", entity.createIf), ("update_if", entity.updateIf), ("repeat", entity.repeat?.text),
            ]
            line(
                "- " + Self.map(members.compactMap { key, text in text.map { (key, Self.flow($0)) } }), indent: 2)
        }
    }

    // MARK: - Questions

    private mutating func write(_ node: FormNode, indent: Int) {
        let heading = YAMLQuoting.scalar("\(Self.typeText(of: node)) \(node.name.text)", inFlow: false)
        let members = Self.members(of: node).compactMap { member, value in value.map { (member, $0) } }
        let label = node.label.map { Self.flow($0) }
        guard label != nil || !members.isEmpty || node.type == nil else { return line("- " + heading, indent: indent) }
        line("- \(heading):" + (label.map { " " + $0 } ?? ""), indent: indent)
        for (member, value) in members { entry(member.rawValue, value: value, indent: indent + 2) }
        guard node.type == nil else { return }
        line("questions:" + (node.nodes.isEmpty ? " []" : ""), indent: indent + 2)
        for child in node.nodes { write(child, indent: indent + 4) }
    }

    private static func typeText(of node: FormNode) -> String {
        guard case .select(_, let source)? = node.type else { return node.kind.typeName }
        switch source {
        case .list(let name), .file(let name), .external(let name): return "\(node.kind.typeName) \(name.text)"
        case .answers(let name): return "\(node.kind.typeName) ${\(name.text)}"
        }
    }

    private static func members(of node: FormNode) -> [(QuestionMember, String?)] {
        [
            (.hint, node.hint.map { flow($0) }), (.guidanceHint, node.guidanceHint.map { flow($0) }),
            (.media, media(node.media)), (.required, scalar(node.required)),
            (.requiredMessage, node.requiredMessage.map { flow($0) }), (.constraint, scalar(node.constraint)),
            (.constraintMessage, node.constraintMessage.map { flow($0) }), (.relevant, scalar(node.relevant)),
            (.readOnly, scalar(node.readOnly)), (.calculation, scalar(node.calculation)),
            (.trigger, list(node.trigger.map(\.text))), (.defaultValue, scalar(node.defaultValue)),
            (.choiceFilter, scalar(node.choiceFilter)), (.repeatCount, scalar(node.repeatCount)),
            (.instances, instances(node.firstInstances)),
            (.appearance, list(node.appearance)), (.parameters, map(node.parameters)), (.saveTo, scalar(node.saveTo)),
            (.attributes, map(texts(node.rest))),
        ]
    }
}
