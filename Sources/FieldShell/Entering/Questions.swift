import DocumentValues
import FieldModels
import FieldRecords

/// Short questions for cold hands: a number to choose, the default in brackets, an empty line to take it.
struct Questions {
    let dialogue: any Dialogue
    let today: CalendarDay

    /// What somebody wants at a question.
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
    /// - Throws: `Stopped` after a full stop, too: what was to be chosen begins something that is not begun then.
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
            dialogue.show("A number from 1 to \(choices.count), please.")
        }
    }

    private static func choice(_ line: String, choices: [String]) -> Int? {
        if let number = Int(line), choices.indices.contains(number - 1) { return number - 1 }
        return ChoiceMatch.index(of: line, among: choices)
    }

    /// A record's question, asked until the answer fits or the person moves on.
    ///
    /// - Parameters:
    ///   - present: is in brackets; an empty line keeps it.
    ///   - written: a text that could not be saved, which `:edit` opens next.
    ///   - way: what the prompt says beside the question.
    ///   - doubt: why an answer may be a slip, which is then asked about.
    func ask<Record>(
        _ field: EditableField<Record>, present: JSONValue?, written: WrittenText? = nil, way: String? = nil,
        doubt: (String) throws -> String? = { _ in nil }
    ) throws -> Answer {
        let question = field.question
        showChoices(of: field)
        let prompt = way.map { "\(question.label) (\($0)): " } ?? Self.prompt(question, present: present)
        // A text that did not fit is what `:edit` opens next.
        var refused = written
        if written != nil { dialogue.show(Self.writtenAdvice) }
        let shown = PresentText(of: field, present)
        if shown?.isLost(by: "") == true { dialogue.show(Self.addingAdvice) }
        while true {
            let typed = try keeping(refused) { try wholeLine(prompt, field: field) }
            let line = AnswerLine(typed.text)
            switch line {
            case .skip: return leaving(refused, with: .open)
            case .stop: return leaving(refused, with: .stop)
            case .back: return leaving(refused, with: .back)
            case .clear:
                if try keeping(refused, while: { try mayClear(shown) }) { return leaving(refused, with: .clear) }
            case .overview: return leaving(refused, with: .overview)
            case .go(let text):
                keep(typed.written)
                return leaving(refused, with: .go(text))
            case .explain: QuestionHelp.lines(field).forEach { dialogue.show($0.printable) }
            case .unknown(let text):
                dialogue.show(QuestionHelp.unknown(text, at: question).printable)
                refused = refusing(typed.written, after: refused)
            case .editor:
                guard let text = edited(field, text: refused?.text ?? present?.stringValue ?? "") else { continue }
                if let refused { dialogue.discard(refused) }
                let given = GivenAnswer(text: text.text, written: text)
                if try keeping(text, while: { try isAccepted(given.text, field: field, doubt: doubt) }) {
                    return .value(given)
                }
                refused = text
                dialogue.show(Self.writtenAdvice)
            case .answer, .add:
                let given = try keeping(refused) {
                    try keeping(typed.written) {
                        try accepted(line, typed: typed, over: shown, field: field, doubt: doubt)
                    }
                }
                if let given { return leaving(refused, with: .value(given)) }
                refused = refusing(typed.written, after: refused)
            }
        }
    }

    private func showChoices<Record>(of field: EditableField<Record>) {
        let question = field.question
        guard question.kind == .choice || field.namesDistrict else { return }
        if !question.choices.isEmpty { dialogue.show(Self.head(field)) }
        for (index, choice) in question.choices.enumerated() {
            dialogue.show("  \(Self.hasNumbers(field) ? "\(index + 1) " : "")\(choice)".printable)
        }
    }

    private static let writtenAdvice = "What you wrote is in the editor again after: :edit"

    private static func head<Record>(_ field: EditableField<Record>) -> String {
        guard field.namesDistrict else { return field.question.label }
        return hasNumbers(field)
            ? "Districts known here, by number; another one by its code:"
            : "Districts known here; type the code of one:"
    }

    /// Whether what is offered can be named by its row: where districts have numbers for codes, a number is a code.
    private static func hasNumbers<Record>(_ field: EditableField<Record>) -> Bool {
        !field.namesDistrict || !field.question.choices.contains { Int($0) != nil }
    }

    /// The district of a row.
    private static func suggested<Record>(_ line: String, by field: EditableField<Record>) -> String? {
        guard field.namesDistrict, hasNumbers(field), let number = Int(line),
            field.question.choices.indices.contains(number - 1)
        else { return nil }
        return field.question.choices[number - 1]
    }

    /// - Returns: what `:edit` opens next: the text that did not fit, instead of the former one, if it is one that nobody
    ///   types again.
    private func refusing(_ written: WrittenText?, after former: WrittenText?) -> WrittenText? {
        guard let written else { return former }
        keep(former)
        dialogue.show(Self.writtenAdvice)
        return written
    }

    /// Where the person goes on without a text that was written, that is kept.
    private func leaving(_ refused: WrittenText?, with answer: Answer) -> Answer {
        keep(refused)
        return answer
    }

    private func keeping<Value>(_ refused: WrittenText?, while body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            keep(refused)
            throw error
        }
    }

    private func keep(_ refused: WrittenText?) {
        guard let refused else { return }
        do throws(EditorError) {
            let file = try dialogue.keep(refused)
            dialogue.show(
                (file.map { "What you wrote is in \($0)\(SpareFolder.warning(of: $0))" }
                    ?? "What you wrote:\n\(refused.text)").printable)
        } catch {
            dialogue.show("\(error.description)\nWhat you wrote:\n\(refused.text)".printable)
        }
    }

    /// What could not be saved, and is asked about no more.
    func giveBack(_ answer: GivenAnswer) {
        if let written = answer.written {
            dialogue.show("What you wrote is not saved.")
            keep(written)
        } else if !answer.text.isEmpty {
            dialogue.show("What you typed is not saved: \(answer.text.printable)")
        }
    }

    /// - Returns: `nil` where it does not fit, or is a slip.
    private func accepted<Record>(
        _ line: AnswerLine, typed: GivenAnswer, over present: PresentText?, field: EditableField<Record>,
        doubt: (String) throws -> String?
    ) throws -> GivenAnswer? {
        let plain = if case .answer(let text) = line { text } else { typed.text }
        let text = Self.suggested(plain, by: field) ?? plain
        guard let whole = try answer(of: line, typed: text, over: present),
            try isAccepted(whole, field: field, doubt: doubt)
        else { return nil }
        return GivenAnswer(text: whole, written: typed.written)
    }

    private func isAccepted<Record>(
        _ text: String, field: EditableField<Record>, doubt: (String) throws -> String?
    ) throws -> Bool {
        let length = field.takesLines ? TextLength.problem(ofParagraphs: text) : nil
        if let problem = problem(of: text, field.question) ?? length {
            dialogue.show("\(field.question.label) \(problem).".printable)
            return false
        }
        guard let doubt = try doubt(text) else { return true }
        return try confirm("\(doubt) Sure? y or n".printable)
    }

    private func problem(of line: String, _ field: FormField) -> String? {
        do {
            _ = try AnswerReader.read(line, for: field, today: today)
            return nil
        } catch {
            return error.message
        }
    }

    /// With the lines that were pasted, or that a `\` at the end joins to it, where the answer may have several. What nobody
    /// types again from memory is on the disk before it is looked at.
    private func wholeLine<Record>(_ prompt: String, field: EditableField<Record>) throws(Stopped) -> GivenAnswer {
        var text = try answer(to: prompt, completing: field.question.choices)
        guard field.takesLines else { return GivenAnswer(text: PastedLines.joined(text)) }
        var held: WrittenText?
        while text.utf8.last == UInt8(ascii: "\\") {
            let begun = String(decoding: text.utf8.dropLast(), as: UTF8.self)
            held = holding(PastedLines.restored(begun), insteadOf: held)
            text = begun + "\n" + (try answer(to: "… ", completing: [], behind: held))
        }
        text = PastedLines.restored(text)
        if WrittenText.isLong(text) { held = holding(text, insteadOf: held) }
        return GivenAnswer(text: text, written: held)
    }

    /// A line of an answer. Ctrl-C is also what people copy with, so what is on the line is not lost by it.
    ///
    /// - Parameter begun: the lines before it.
    private func answer(
        to prompt: String, completing answers: [String], behind begun: WrittenText? = nil
    ) throws(Stopped) -> String {
        switch completing(answers, ask: { dialogue.ask(prompt, behind: begun) }) {
        case .line(let line): return line.trimmingSpaces
        case .interrupted(let line): keepUnfinished(line, behind: begun)
        case .end: keep(begun)
        }
        throw Stopped()
    }

    private func keepUnfinished(_ line: String, behind begun: WrittenText?) {
        guard let text = WrittenText.unfinished(line, behind: begun) else { return keep(begun) }
        guard let begun else { return keep(WrittenText(text)) }
        do throws(EditorError) {
            let held = try dialogue.hold(text)
            dialogue.discard(begun)
            keep(held)
        } catch {
            dialogue.show("\(error.description)\nWhat you wrote:\n\(text)".printable)
            keep(begun)
        }
    }

    private func holding(_ text: String, insteadOf former: WrittenText?) -> WrittenText {
        do throws(EditorError) {
            let held = try dialogue.hold(text)
            if let former { dialogue.discard(former) }
            return held
        } catch {
            dialogue.show(error.description.printable)
            return WrittenText(text, file: former?.file)
        }
    }

    private func edited<Record>(_ field: EditableField<Record>, text: String) -> WrittenText? {
        guard field.takesLines else {
            dialogue.show("\(field.question.label) takes one line.")
            return nil
        }
        do throws(EditorError) {
            let edited = try dialogue.edit(text)
            let answer = edited.text.trimmingSpaces
            guard answer.isEmpty else { return WrittenText(answer, file: edited.file) }
            dialogue.discard(edited)
            if !text.isEmpty { dialogue.show("The text is empty; the answer is as it was. To take it away: -") }
            return nil
        } catch {
            dialogue.show(error.description)
            return nil
        }
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

    private func completing(_ answers: [String], ask: () -> Reply) -> Reply {
        let before = dialogue.completer
        dialogue.completer = Completer(answers: answers)
        defer { dialogue.completer = before }
        return ask()
    }

    /// `Fridge °C, -5 to 12 [4]: `.
    static func prompt(_ field: FormField, present: JSONValue?) -> String {
        var text = field.label
        var preset = present?.cell.map { $0.replacing("\n", with: " ").cut(to: ShellLimits.answerShown) }
        switch field.kind {
        case .yesNo: text += ", y or n"
        case .number, .whole: text += limits(field).map { ", \($0)" } ?? ""
        case .choice:
            text = "Number"
            preset = present?.stringValue.flatMap { Self.index(of: $0, in: field.choices) }.map { String($0 + 1) }
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

extension ShellSession {
    var questions: Questions { Questions(dialogue: dialogue, today: environment.today()) }

    /// A question about a record, with the answer that is there, or the one that Enter takes.
    ///
    /// - Parameter listed: the questions that are on the screen by number just above.
    func ask<Record: EditableRecord>(
        _ field: EditableField<Record>, about draft: RecordDraft<Record>, belowListOf listed: [Name] = []
    ) throws -> Questions.Answer {
        let present = field.hasAnswer(in: draft.record) ? field.get(draft.record) : nil
        let preset = present == nil ? field.preset : nil
        let answer = try questions.ask(
            offering(field), present: present ?? preset.map(JSONValue.string), written: draft.takeUnsaved(),
            doubt: {
                try rowDoubt(about: $0, for: field, of: draft, listed: listed)
                    ?? doubt(about: $0, for: field, of: draft.record)
            })
        if let preset, case .open = answer { return .value(GivenAnswer(text: preset)) }
        guard case .clear = answer, field.namesUser, !field.question.isRequired, let name = present?.stringValue else {
            return answer
        }
        // A record without its inspector is nobody's work.
        let question = "\(field.question.label) is nobody then, instead of \(name). Sure? y or n"
        return try questions.confirm(question.printable) ? answer : .open
    }
}
