import DocumentValues
import FieldModels
import FieldRecords

/// Short questions for cold hands: a number to choose, the default in brackets, an empty line to take it.
struct Questions {
    let dialogue: any Dialogue
    let today: CalendarDay

    /// The user's reaction to a question.
    enum Answer {
        case value(GivenAnswer)
        /// An empty line where nothing is preset: the question stays as it is.
        case open
        /// A full stop: no more questions.
        case stop
        /// The question before.
        case back
        /// The answer is taken away.
        case clear
        /// Every question with its answer.
        case overview
        case go(String)
    }

    /// One of a few, by number or by a beginning.
    ///
    /// - Returns: `nil` if none is chosen.
    /// - Throws: `Stopped` after a full stop, too: the choice would begin a task, which does not begin then.
    func choose(_ label: String, from choices: [String], preset: Int? = nil) throws(Stopped) -> Int? {
        for (index, choice) in choices.enumerated() { dialogue.show("  \(index + 1) \(choice)".printable) }
        let preset = preset.flatMap { choices.indices.contains($0) ? $0 : nil }
        let prompt = label + (preset.map { " [\($0 + 1)]" } ?? "") + ": "
        while true {
            guard let line = try line(prompt, completing: choices) else { throw Stopped() }
            if line.isEmpty { return preset }
            if line == "-" { return nil }
            if line == "?" {
                let enter = preset == nil ? "none" : "the one in brackets"
                dialogue.show("  Type a number, or a beginning of a name. Enter takes \(enter), - takes none, . stops.")
                continue
            }
            if let index = Self.choice(line, choices: choices) { return index }
            dialogue.show(Self.range(upTo: choices.count))
        }
    }

    /// After an answer that is the number of no row.
    static func range(upTo count: Int) -> String { "A number from 1 to \(count), please." }

    private static func choice(_ line: String, choices: [String]) -> Int? {
        if let number = Int(line), choices.indices.contains(number - 1) { return number - 1 }
        return ChoiceMatch.index(of: line, among: choices)
    }

    /// A record's question, asked until the answer fits or the person moves on.
    ///
    /// - Parameters:
    ///   - present: is in brackets; an empty line keeps it.
    ///   - written: a text that could not be saved, which `:edit` opens next.
    ///   - way: the hint in the prompt beside the question.
    ///   - doubt: why an answer may be a slip, which is then asked about.
    func ask<Record>(
        _ field: EditableField<Record>, present: JSONValue?, written: WrittenText? = nil, way: String? = nil,
        doubt: @escaping (String) throws -> String? = { _ in nil }
    ) throws -> Answer {
        try RecordQuestion(questions: self, field: field, present: present, way: way, doubt: doubt).ask(after: written)
    }

    /// Nothing is taken away on the strength of this alone: see `ShellSession.consents`.
    func confirm(_ question: String) throws(Stopped) -> Bool {
        while true {
            guard let line = try line("\(question) [n] ") else { return false }
            if line.isEmpty { return false }
            if let answer = AnswerReader.yesNo(line) { return answer }
            dialogue.show(
                line.isExactly("?") ? "  y does it; n, or Enter, leaves everything as it is." : "y or n, please.")
        }
    }

    /// `nil` for a full stop.
    ///
    /// - Throws: `Stopped` after Ctrl-C and at the end of the input: no later line may be taken for an answer.
    func line(_ prompt: String, completing answers: [String] = []) throws(Stopped) -> String? {
        let line = PastedLines.joined(try typed(prompt, completing: answers))
        return line == "." ? nil : line
    }

    private func typed(_ prompt: String, completing answers: [String]) throws(Stopped) -> String {
        let reply = completing(answers, ask: { dialogue.ask(prompt) })
        guard let line = reply.line?.trimmingSpaces else { throw Stopped() }
        return line
    }

    func completing(_ answers: [String], ask: () -> Reply) -> Reply {
        let before = dialogue.completer
        dialogue.completer = Completer(answers: answers)
        defer { dialogue.completer = before }
        return ask()
    }
}
