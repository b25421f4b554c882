import DocumentValues
import FieldModels
import FormLogic

extension Form {
    /// A form of schema 1 as one of questions: flat, of one version, its names those of its records' answers.
    init(olderForm: FormDefinition) {
        self.init(
            id: Name(olderForm.id), version: String(olderForm.version), title: .plain(olderForm.name),
            nodes: olderForm.fields.map { FormNode(olderField: $0) })
        lists = olderForm.fields.compactMap { ChoiceList(olderField: $0) }
        if olderForm.fields.contains(where: { $0.kind == .yesNo }) { lists.append(.yesNo) }
    }
}

extension FormNode {
    fileprivate init(olderField field: FormField) {
        let type: QuestionType
        switch field.kind {
        case .text: type = .text
        case .number: type = .plain(.decimal)
        case .whole: type = .plain(.integer)
        case .yesNo: type = .select(.one, from: .list(ChoiceList.yesNo.name))
        case .choice: type = .select(.one, from: .list(ChoiceList.name(of: field)))
        case .day: type = .plain(.date)
        }
        self.init(name: Name(field.name), kind: .question(type), label: .plain(field.label))
        if field.isRequired { required = "true()" }
        constraint = Self.constraint(of: field)
        relevant = field.condition.flatMap { Self.relevance(of: $0) }
    }

    private static func constraint(of field: FormField) -> String? {
        let value: String
        switch field.kind {
        case .text: value = "string-length(.)"
        case .number, .whole: value = "."
        case .yesNo, .choice, .day: return nil
        }
        let limits = [
            field.minimum.map { "\(value) >= \(FormNumberText.of($0))" },
            field.maximum.map { "\(value) <= \(FormNumberText.of($0))" },
        ].compactMap(\.self)
        return limits.isEmpty ? nil : limits.joined(separator: " and ")
    }

    private static func relevance(of condition: FormField.Condition) -> String? {
        let reference = "${\(condition.field)}"
        switch condition.equals {
        case .bool(let isYes): return "\(reference) = '\(isYes ? "yes" : "no")'"
        case .number(let number): return "\(reference) = \(FormNumberText.canonical(number))"
        case .string(let text):
            // A literal has no escapes.
            let mark = text.utf8.contains(UInt8(ascii: "'")) ? "\"" : "'"
            return "\(reference) = \(mark)\(text)\(mark)"
        case .null: return "\(reference) = ''"
        case .array, .object: return nil
        }
    }
}

extension ChoiceList {
    /// Stored booleans are read as these.
    static let yesNo = ChoiceList(
        name: "yes_no", choices: [Choice(name: "yes", label: "Yes"), Choice(name: "no", label: "No")])

    fileprivate static func name(of field: FormField) -> Name { Name("choices_of_\(field.name)") }

    /// `nil` for a field without choices of its own.
    fileprivate init?(olderField field: FormField) {
        guard field.kind == .choice else { return nil }
        self.init(
            name: Self.name(of: field),
            choices: field.choices.map { Choice(name: Name($0), label: .plain($0)) })
    }
}
