import DocumentValues
import FormLogic

/// Reads a bind and the actions of a node into a question.
struct XFormRules {
    let path: XFormPath
    let bind: MarkupElement?
    let references: PathReferences

    func readCommon(into node: inout FormNode) {
        node.relevant = expression("relevant")
        node.required = expression("required")
        node.readOnly = expression("readonly")
        node.constraint = expression("constraint")
        node.calculation = expression("calculate")
        node.saveTo = bind?["saveto", in: .entities]
    }

    private func expression(_ attribute: String) -> String? {
        guard let text = bind?[attribute], !text.trimmingSpaces.isEmpty else { return nil }
        // Older tools wrote true and false without parentheses.
        return TruthText.expression(references.converted(text, context: path))
    }

    func readMessages(texts: XFormTexts, into node: inout FormNode) {
        node.constraintMessage = message("constraintMsg", texts: texts)
        node.requiredMessage = message("requiredMsg", texts: texts)
    }

    private func message(_ attribute: String, texts: XFormTexts) -> FormText? {
        guard let text = bind?[attribute, in: .javaRosa] else { return nil }
        guard let id = XFormTexts.id(text) else { return .plain(text) }
        return texts.entries[id].flatMap { texts.text($0.label) }
    }

    /// - Returns: what the node gets at the start, if an action gives it something.
    func readActions(_ actions: [XFormAction], into node: inout FormNode) -> XFormFirstValue? {
        var first: XFormFirstValue?
        for action in actions {
            switch action.event {
            case .changed(let source):
                if !node.trigger.contains(source.last) { node.trigger.append(source.last) }
                if let value = action.value {
                    let converted = references.converted(value, context: path)
                    node.calculation = converted.isEmpty ? nil : converted
                } else if let text = action.text {
                    node.calculation = text.isEmpty ? nil : XFormFirstValue.literal(text)
                }
            case .first:
                if let value = action.value {
                    first = Self.value(of: references.converted(value, context: path))
                } else if let text = action.text, !text.isEmpty {
                    first = .text(text)
                }
            }
        }
        return first
    }

    /// A default that is evaluated is one that has a function or a reference in it; a literal is static.
    private static func value(of expression: String) -> XFormFirstValue {
        let isLiteral = expression.contains(/^\s*(?:'[^']*'|"[^"]*"|-?[0-9.]+)\s*$/)
        if isLiteral {
            let text = expression.trimmingSpaces
            let isQuoted = text.hasPrefix("'") || text.hasPrefix("\"")
            return .text(isQuoted ? String(Substring(text.utf8.dropFirst().dropLast())) : text)
        }
        let isDynamic = expression.contains(/[A-Za-z0-9_.:\-]+\(|\$\{|[+*|\[]|\s(?:div|mod|-)\s/)
        return .expression(isDynamic || expression.isEmpty ? expression : "string(\(expression))")
    }

    /// The parameters of a question by the attributes of its control and its bind.
    static func parameters(of elements: [MarkupElement], for type: QuestionType.PlainType) -> [NamedText] {
        var parameters: [NamedText] = []
        for (attribute, name) in XFormTypes.parameters where isParameter(name, of: type) {
            guard let value = elements.compactMap({ value(attribute, of: $0) }).first else { continue }
            parameters.append(NamedText(name: name, text: value))
        }
        return parameters
    }

    private static func value(_ attribute: String, of element: MarkupElement) -> String? {
        element[attribute] ?? element[attribute, in: .odk] ?? element[attribute, in: .openRosa]
    }

    private static func isParameter(_ name: Name, of type: QuestionType.PlainType) -> Bool {
        switch name.text {
        case "start", "end", "step", "tick_interval", "placeholder", "tick_labelset": type == .range
        case "rows": type == .text || type == .note
        default: true
        }
    }
}

/// Reads the texts of a control, a group or a choice.
struct XFormTextReader {
    let texts: XFormTexts
    let references: PathReferences
    let path: XFormPath

    func read(_ element: MarkupElement, into node: inout FormNode) {
        if let label = element.child("label") {
            node.label = text(of: label) ?? node.label
            if let entry = entry(of: label) { node.media = texts.media(entry) }
        }
        if let hint = element.child("hint") {
            node.hint = text(of: hint)
            if let entry = entry(of: hint) { node.guidanceHint = texts.text(entry.guidance) }
        }
    }

    func read(_ item: MarkupElement, into choice: inout Choice) {
        guard let label = item.child("label") else { return }
        choice.label = text(of: label)
        if let entry = entry(of: label) { choice.media = texts.media(entry) }
    }

    private func entry(of element: MarkupElement) -> XFormTexts.Entry? {
        element["ref"].flatMap { XFormTexts.id($0) }.flatMap { texts.entries[$0] }
    }

    private func text(of element: MarkupElement) -> FormText? {
        if let entry = entry(of: element) { return texts.text(entry.label) }
        if let reference = element["ref"], !reference.hasPrefix("jr:itext") {
            return .plain(references.converted(reference, context: path))
        }
        let text = XFormText.text(of: element, context: path, references: references)
        return text.isEmpty ? nil : .plain(text)
    }
}
