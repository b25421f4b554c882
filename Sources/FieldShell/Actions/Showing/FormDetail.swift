import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic

/// A form for a person: its questions with numbers, types, conditions and choices.
struct FormDetail {
    private let outlined: OutlinedForm
    private var form: Form { outlined.form }

    init(_ outlined: OutlinedForm) { self.outlined = outlined }

    var detail: Detail {
        var detail = Detail(
            title: text(form.title) ?? form.id.text, reference: RecordReference(.form, id: form.id.text),
            fields: fields, object: object)
        detail.add("Questions", lines: questions)
        detail.add("Choices", lines: form.lists.map { line(of: $0) })
        detail.add("Files", lines: form.files.map { file in file.name.text })
        return detail
    }

    private var fields: [Detail.Field] {
        let languages = form.languages.map { language in
            language.name == language.code.text ? language.name : "\(language.name) (\(language.code.text))"
        }
        let isCurrent = form.version == outlined.current
        let rows: [(String, String?)] = [
            ("Form", form.id.text),
            ("Version", form.version + (isCurrent ? "" : ", not the current one (\(outlined.current))")),
            ("State", outlined.state == .open ? nil : outlined.state.rawValue),
            ("Languages", languages.isEmpty ? nil : languages.joined(separator: ", ")),
            ("Questions", String(form.questionCount)), ("Record's name", form.instanceName),
            ("From", form.source?["file"]?.stringValue),
        ]
        return rows.compactMap { label, value in value.map { Detail.Field(label: label, value: $0) } }
    }

    private var object: JSONObject {
        var object = form.definition
        object["digest"] = .string(outlined.digest)
        object["state"] = .string(outlined.state.rawValue)
        object["current"] = .string(outlined.current)
        return object
    }

    // MARK: Questions

    private var questions: [String] {
        var lines: [String] = []
        var open = form.nodes.enumerated().reversed().map { (node: $0.element, number: "\($0.offset + 1)") }
        while let (node, number) = open.popLast() {
            lines += self.lines(of: node, number: number)
            open += node.nodes.enumerated().reversed().map { ($0.element, "\(number).\($0.offset + 1)") }
        }
        return lines
    }

    /// `2.1  cold_temp: Warmest reading (°C), decimal, required`, then its rules.
    private func lines(of node: FormNode, number: String) -> [String] {
        var head = "\(number)  \(node.name.text)"
        if let label = text(node.label) { head += ": \(label)" }
        head += ", \(type(of: node))"
        if node.required == "true()" { head += ", required" }
        if node.readOnly == "true()" { head += ", read only" }
        let rules: [(String, String?)] = [
            ("asked if", node.relevant), ("required if", node.required == "true()" ? nil : node.required),
            ("must hold", node.constraint), ("calculated", node.calculation), ("default", node.defaultValue),
            ("choices where", node.choiceFilter), ("how many", node.repeatCount),
            ("at the start", node.firstInstances.isEmpty ? nil : node.firstInstances.count.of("instance")),
            ("read only if", node.readOnly == "true()" ? nil : node.readOnly),
        ]
        return [head] + rules.compactMap { label, rule in rule.map { "    \(label): \($0)" } }
    }

    private func type(of node: FormNode) -> String {
        guard case .select(_, let source)? = node.type else { return node.kind.typeName }
        return switch source {
        case .list(let list), .external(let list): "\(node.kind.typeName) \(list.text)"
        case .file(let file): "\(node.kind.typeName) \(file.text)"
        case .answers(let question): "\(node.kind.typeName) of the answers to \(question.text)"
        }
    }

    // MARK: Choices

    /// `verdict (3): ok In order; minor Minor fault; major Serious fault`.
    private func line(of list: ChoiceList) -> String {
        guard case .choices(let choices) = list.content else { return "\(list.name.text): a long list" }
        let shown = choices.prefix(ShellLimits.formChoices).map { choice in
            [choice.name.text, text(choice.label)].compactMap(\.self).joined(separator: " ")
        }
        let rest = choices.count - shown.count
        return "\(list.name.text) (\(choices.count.grouped)): " + shown.joined(separator: "; ")
            + (rest > 0 ? "; and \(rest.grouped) more" : "")
    }

    /// In the form's language, in one line.
    private func text(_ text: FormText?) -> String? {
        guard let text, let found = text.text(in: form.language) ?? text.all.first, !found.isEmpty else { return nil }
        return found.printableLine
    }
}
