import DocumentValues
import FieldModels
import FieldRecords

/// Short questions for cold hands: a number to choose, the default in brackets, an empty line to take it.
struct Questions {
    let dialogue: any Dialogue
    let today: CalendarDay

    /// What stopped the questions.
    enum Answer<Value> {
        case value(Value)
        /// An empty line where nothing is preset: the question stays open.
        case open
        /// A full stop: no more questions.
        case stop
    }

    /// One of a few, by number or by a beginning.
    func choose(_ label: String, from choices: [String], preset: Int? = nil) throws(Stopped) -> Answer<Int> {
        for (index, choice) in choices.enumerated() { dialogue.tell("  \(index + 1) \(choice)") }
        let preset = preset.flatMap { choices.indices.contains($0) ? $0 : nil }
        let prompt = label + (preset.map { " [\($0 + 1)]" } ?? "") + ": "
        while true {
            guard let line = try line(prompt) else { return .stop }
            if line.isEmpty { return preset.map { .value($0) } ?? .open }
            if let number = Int(line), choices.indices.contains(number - 1) { return .value(number - 1) }
            switch WordChoice.find(line, among: choices) {
            case .found(let choice):
                if let index = choices.firstIndex(of: choice) { return .value(index) }
            case .ambiguous, .unknown: break
            }
            dialogue.tell("A number from 1 to \(choices.count), please.")
        }
    }

    /// A form's question, asked until the answer fits or the person moves on.
    func ask(_ field: FormField, present: JSONValue?) throws(Stopped) -> Answer<String> {
        if field.kind == .choice { return try askChoice(field, present: present) }
        let prompt = Self.prompt(field, present: present)
        while true {
            guard let line = try line(prompt) else { return .stop }
            if line.isEmpty { return .open }
            if let problem = problem(of: line, field) {
                dialogue.tell("\(field.label) \(problem).")
            } else {
                return .value(line)
            }
        }
    }

    private func problem(of line: String, _ field: FormField) -> String? {
        do {
            _ = try AnswerReader.read(line, for: field, today: today)
            return nil
        } catch {
            return error.message
        }
    }

    private func askChoice(_ field: FormField, present: JSONValue?) throws(Stopped) -> Answer<String> {
        dialogue.tell(field.label)
        let preset = present?.stringValue.flatMap { field.choices.firstIndex(of: $0) }
        switch try choose("Number", from: field.choices, preset: preset) {
        case .value(let index): return .value(field.choices[index])
        case .open: return .open
        case .stop: return .stop
        }
    }

    func confirm(_ question: String) throws(Stopped) -> Bool {
        while true {
            guard let line = try line("\(question) [n] ") else { return false }
            if line.isEmpty { return false }
            if let answer = AnswerReader.yesNo(line) { return answer }
            dialogue.tell("y or n, please.")
        }
    }

    /// `nil` for a full stop.
    ///
    /// - Throws: `Stopped` after Ctrl-C and at the end of the input: no later line may be taken for an answer.
    func line(_ prompt: String) throws(Stopped) -> String? {
        guard let line = dialogue.ask(prompt).line?.trimmingSpaces else { throw Stopped() }
        return line == "." ? nil : line
    }

    /// `Fridge °C, -5 to 12 [4]: `.
    static func prompt(_ field: FormField, present: JSONValue?) -> String {
        var text = field.label
        switch field.kind {
        case .yesNo: text += ", y or n"
        case .number, .whole: text += limits(field).map { ", \($0)" } ?? ""
        case .text, .choice, .day: break
        }
        return text + (present?.cell.map { " [\($0)]" } ?? "") + ": "
    }

    private static func limits(_ field: FormField) -> String? {
        switch (field.minimum.map(JSONNumber.init), field.maximum.map(JSONNumber.init)) {
        case (let least?, let most?): "\(least) to \(most)"
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "at most \(most)"
        case (nil, nil): nil
        }
    }
}

extension String {
    /// Without white space at the ends.
    var trimmingSpaces: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
