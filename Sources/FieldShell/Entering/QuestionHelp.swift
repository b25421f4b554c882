import DocumentValues
import FieldModels
import FieldRecords

/// The text of `?` at a question.
enum QuestionHelp {
    static func lines<Record>(_ field: EditableField<Record>) -> [String] {
        let question = field.question
        var lines = ["  \(question.label): \(field.namesDistrict ? district(question) : accepted(question))"]
        if let hint = question.rest["hint"]?.stringValue { lines.append("  \(hint)") }
        if field.takesLines {
            lines.append("  A line that ends with \\ goes on in the next; :edit opens your editor.")
            lines.append("  Text replaces the answer that is there; + TEXT adds a line to it.")
        }
        if question.kind == .text { lines.append("  \(colons)") }
        lines.append(
            question.isRequired
                ? "  It must be answered: Enter keeps the answer that it has, < goes back, . stops."
                : "  Enter skips, - clears the answer, < goes back, . stops.")
        lines.append("  :all shows every answer, :go 3 goes to the third.")
        return lines
    }

    private static func district(_ question: FormField) -> String {
        let known = question.choices.isEmpty ? "none" : question.choices.joined(separator: ", ")
        return "the code of one of your districts; known here: \(known)"
    }

    private static let colons = "A text that begins with : is typed with one more: ::so."

    /// The answer to a line that begins with a colon and is none of the signs.
    static func unknown(_ line: String, at question: FormField) -> String {
        let colons = question.kind == .text ? " \(colons)" : ""
        // Of pasted lines only the first one is the sign.
        let sign = line.utf8.prefix { $0 != UInt8(ascii: "\n") }
        return "There is no '\(String(decoding: sign, as: UTF8.self))' here.\(colons) Explained by: ?"
    }

    private static func accepted(_ question: FormField) -> String {
        let limits = QuestionPrompt.limits(question).map { ", \($0)" } ?? ""
        switch question.kind {
        case .text: return "a text"
        case .number: return "a number\(limits), such as 4.5 or 4,5"
        case .whole: return "a whole number\(limits)"
        case .yesNo: return "y or n"
        case .day: return "a day, such as 2026-03-04, today, yesterday, -2 for two days ago or +7"
        case .choice: return "its number, or the beginning of one of: " + question.choices.joined(separator: ", ")
        }
    }
}
