import DocumentValues
import FormLogic

/// Reads a form that is written in YAML.
///
/// It reports what a form cannot hold: keys and types that do not exist, values of another shape. Names, lists, labels and
/// expressions are the checker's.
struct FormYAMLReader {
    var form: Form
    var positions = SourcePositions()
    var findings = FormFindings()
    /// Groups, repeats and questions that were read.
    var nodes = 0
    /// Lists to which `or_other` adds a choice.
    var listsWithOther: [Name] = []
    var isPartial = false

    /// - Parameter text: of a whole file.
    static func read(_ text: String) -> FormReading {
        let (root, faults) = YAMLParser.parse(text)
        var reader = FormYAMLReader(form: Form(id: ""))
        for fault in faults { reader.add(fault) }
        reader.isPartial = !faults.isEmpty
        if let root { reader.readForm(root) } else { reader.reportEmpty(faults: faults) }
        return FormReading(
            form: reader.form, positions: reader.positions, findings: reader.findings, isPartial: reader.isPartial)
    }

    private init(form: Form) { self.form = form }

    private mutating func reportEmpty(faults: [YAMLFault]) {
        guard faults.isEmpty else { return }
        isPartial = true
        findings.add(
            FormFinding(
                .badStructure, at: .text(line: 1, column: 1), message: "the file is empty.",
                hint: "A form begins with 'form:' and has 'questions:'."))
    }

    // MARK: - Findings

    mutating func report(_ code: FindingCode, at position: YAMLPosition, message: String, hint: String? = nil) {
        findings.add(FormFinding(code, at: .text(position), message: message, hint: hint))
    }

    private mutating func add(_ fault: YAMLFault) {
        report(fault.isLimit ? .limit : .unreadable, at: fault.position, message: fault.message, hint: fault.hint)
    }

    /// A value of another shape than the one that belongs there.
    mutating func reportShape(of node: YAMLNode, owner: String, expected: String) {
        isPartial = true
        let there =
            switch node.content {
            case .text: "a text"
            case .list: "a list"
            case .map: "a map"
            }
        report(.unreadable, at: node.position, message: "\(owner): \(there) is where \(expected) belongs.")
    }

    mutating func reportUnknown(_ key: YAMLKey, in owner: String, known: [String]) {
        let alias = Self.otherSpellings[key.name].flatMap { known.contains($0) ? $0 : nil }
        report(
            .unknownKey, at: key.position, message: "'\(key.text)' is no key of \(owner).",
            hint: alias.map { "Write '\($0)'." } ?? NearName.hint(key.text, among: known)
                ?? "It has: \(known.joined(separator: ", ")).")
    }

    /// Spellings in spreadsheets.
    private static let otherSpellings: [Name: String] = [
        "relevance": "relevant", "calculate": "calculation", "readonly": "read_only", "count": "repeat_count",
        "jr:count": "repeat_count", "caption": "label", "form_id": "form", "id_string": "form",
        "form_title": "title", "survey": "questions", "choices": "lists", "nodes": "questions",
        "requiredMsg": "required_message", "constraining_message": "constraint_message",
        "omit_instance_id": "omit_instanceID", "dataset": "list_name",
    ]

    mutating func note(_ part: FormPart, at position: YAMLPosition) { positions.note(part, at: .text(position)) }

    // MARK: - Values

    /// The entries of a map, each key once; with a merge key or a key that is there twice comes a finding.
    mutating func entries(of node: YAMLNode, owner: String) -> [YAMLEntry]? {
        guard case .map(let entries) = node.content else {
            reportShape(of: node, owner: owner, expected: "a map")
            return nil
        }
        var lines: [Name: Int] = [:]
        return entries.filter { entry in
            if entry.key.text == "<<" {
                report(.unreadable, at: entry.key.position, message: "a merge key ('<<') is not read here.")
                return false
            }
            if let line = lines[entry.key.name] {
                report(
                    .unreadable, at: entry.key.position,
                    message: "the key '\(entry.key.text)' is in line \(line) already.")
                return false
            }
            lines[entry.key.name] = entry.key.position.line
            return true
        }
    }

    mutating func items(of node: YAMLNode, owner: String) -> [YAMLNode]? {
        if case .list(let items) = node.content { return items }
        reportShape(of: node, owner: owner, expected: "a list")
        return nil
    }

    /// A text that is not empty.
    mutating func text(of node: YAMLNode, owner: String) -> String? {
        guard let text = node.text else {
            reportShape(of: node, owner: owner, expected: "a text")
            return nil
        }
        return text.isEmpty ? nil : text
    }

    /// A text, or one for each language, after the form's languages were read; `nil` for none.
    mutating func texts(of node: YAMLNode, owner: String) -> FormText? {
        switch node.content {
        case .text(let text): return text.isEmpty ? nil : .plain(text)
        case .list:
            reportShape(of: node, owner: owner, expected: "a text, or a map with one for each language,")
            return nil
        case .map:
            let translations = (entries(of: node, owner: owner) ?? []).compactMap { entry in
                text(of: entry.value, owner: owner).map {
                    FormText.Translation(language: entry.key.name, text: $0)
                }
            }
            return FormText(translations, languages: form.languages)
        }
    }

    /// The same, of a part whose position is noted with those of its translations.
    mutating func formText(of node: YAMLNode, owner: String, part: FormPart) -> FormText? {
        note(part, at: node.position)
        if case .map(let entries) = node.content {
            for entry in entries {
                note(FormPart(part.owner, member: part.member, language: entry.key.name), at: entry.value.position)
            }
        }
        return texts(of: node, owner: owner)
    }

    mutating func namedTexts(of node: YAMLNode, owner: String, part: FormPart) -> [NamedText] {
        (entries(of: node, owner: owner) ?? []).compactMap { entry in
            note(FormPart(part.owner, member: part.member, language: entry.key.name), at: entry.key.position)
            guard let text = entry.value.text else {
                reportShape(of: entry.value, owner: "\(owner), '\(entry.key.text)'", expected: "a text")
                return nil
            }
            return NamedText(name: entry.key.name, text: text)
        }
    }
}

extension SourcePosition {
    static func text(_ position: YAMLPosition) -> SourcePosition {
        .text(line: position.line, column: position.column)
    }
}
