import DocumentValues
import FieldModels
import FieldRecords

/// The choices of a question, a line each, above its prompt.
struct OfferedChoices<Record: FieldRecord> {
    private let field: EditableField<Record>

    init(of field: EditableField<Record>) { self.field = field }

    var lines: [String] {
        let question = field.question
        guard question.kind == .choice || field.namesDistrict else { return [] }
        let choices = question.choices.enumerated().map { index, choice in
            "  \(hasNumbers ? "\(index + 1) " : "")\(choice)".printable
        }
        return question.choices.isEmpty ? [] : [head] + choices
    }

    private var head: String {
        guard field.namesDistrict else { return field.question.label }
        return hasNumbers
            ? "Districts known here, by number; another one by its code:"
            : "Districts known here; type the code of one:"
    }

    /// Whether an offered choice can be named by its row: where districts have numbers for codes, a number is a code.
    private var hasNumbers: Bool { !field.namesDistrict || !field.question.choices.contains { Int($0) != nil } }

    /// The district of a row.
    func suggested(_ line: String) -> String? {
        guard field.namesDistrict, hasNumbers, let number = Int(line),
            field.question.choices.indices.contains(number - 1)
        else { return nil }
        return field.question.choices[number - 1]
    }
}
