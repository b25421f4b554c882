import DocumentValues
import FieldModels
import FieldRecords

/// The text that an answer of several words has at its question. A person who types there often means to add to it.
struct PresentText {
    let text: String

    init?<Record>(of field: EditableField<Record>, _ value: JSONValue?) {
        guard field.takesLines, let text = value?.stringValue, !text.isEmpty else { return nil }
        self.text = text
    }

    func adding(_ line: String) -> String { "\(text)\n\(line)" }

    /// Whether the answer replaces a text too long to be typed again from memory.
    func isLost(by answer: String) -> Bool {
        WrittenText.isLong(text) && !answer.utf8.starts(with: text.utf8)
    }

    /// As a question names it.
    fileprivate var named: String { "'\(text.replacing("\n", with: " ").cut(to: ShellLimits.reportedValue))'" }
}

extension Questions {
    static let addingAdvice = "  + TEXT adds to this answer; other text replaces it."

    /// - Returns: the whole answer that a line gives; `nil` where it is not to replace the one that is there.
    func answer(of line: AnswerLine, typed: String, over present: PresentText?) throws(Stopped) -> String? {
        guard let present else { return typed }
        if case .add(let added) = line { return present.adding(added) }
        // Lines of a pipe were written before the question was known.
        guard dialogue.mayConsent, present.isLost(by: typed) else { return typed }
        return try replacing(present, by: typed)
    }

    private func replacing(_ present: PresentText, by typed: String) throws(Stopped) -> String? {
        let question = "Replace \(present.named)? y or n, a to add [n] ".printable
        while true {
            guard let line = try self.line(question), !line.isEmpty else { return nil }
            if line.lowercased().isExactly("a") { return present.adding(typed) }
            if let isReplaced = AnswerReader.yesNo(line) { return isReplaced ? typed : nil }
            dialogue.show("  y replaces it, a adds to it; n, or Enter, leaves it as it is.")
        }
    }

    func mayClear(_ present: PresentText?) throws(Stopped) -> Bool {
        guard let present, dialogue.mayConsent, present.isLost(by: "") else { return true }
        return try confirm("Take away \(present.named)? y or n".printable)
    }
}
