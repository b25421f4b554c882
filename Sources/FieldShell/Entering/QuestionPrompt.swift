import DocumentValues
import FieldModels
import FieldRecords

/// The text in front of the cursor at a question of a record.
enum QuestionPrompt {
    /// `Fridge °C, -5 to 12 [4]: `.
    static func text(_ field: FormField, present: JSONValue?) -> String {
        var text = field.label
        var preset = present?.cell.map { $0.replacing("\n", with: " ").cut(to: ShellLimits.answerShown) }
        switch field.kind {
        case .yesNo: text += ", y or n"
        case .number, .whole: text += limits(field).map { ", \($0)" } ?? ""
        case .choice:
            text = "Number"
            preset = present?.stringValue.flatMap { index(of: $0, in: field.choices) }.map { String($0 + 1) }
        case .text, .day: break
        }
        return text + (preset.flatMap { $0.isEmpty ? nil : " [\($0)]".printable } ?? "") + ": "
    }

    private static func index(of choice: String, in choices: [String]) -> Int? {
        choices.firstIndex { $0.isExactly(choice) }
    }

    static func limits(_ field: FormField) -> String? {
        switch (field.minimum.map { JSONNumber($0) }, field.maximum.map { JSONNumber($0) }) {
        case (let least?, let most?): "\(least) to \(most)"
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "at most \(most)"
        case (nil, nil): nil
        }
    }
}
