import DocumentValues
import FieldModels
import FieldRecords

/// A record's question, asked until the answer fits or the person moves on.
struct RecordQuestion<Record: FieldRecord> {
    let questions: Questions
    let field: EditableField<Record>
    /// Is in brackets; an empty line keeps it.
    let present: JSONValue?
    /// The hint in the prompt beside the question.
    let way: String?
    /// Why an answer may be a slip, which is then asked about.
    let doubt: (String) throws -> String?

    private var dialogue: any Dialogue { questions.dialogue }
    private var texts: WrittenTexts { WrittenTexts(dialogue: dialogue) }
    private var input: AnswerInput<Record> { AnswerInput(questions: questions, field: field) }

    /// - Parameter written: a text that could not be saved, which `:edit` opens next.
    func ask(after written: WrittenText?) throws -> Questions.Answer {
        let question = field.question
        OfferedChoices(of: field).lines.forEach { dialogue.show($0) }
        let prompt = way.map { "\(question.label) (\($0)): " } ?? QuestionPrompt.text(question, present: present)
        // `:edit` opens a refused text next.
        var refused = written
        if written != nil { dialogue.show(WrittenTexts.advice) }
        let shown = PresentText(of: field, present)
        if shown?.isLost(by: "") == true { dialogue.show(Questions.addingAdvice) }
        while true {
            let typed = try texts.keeping(refused) { try input.wholeLine(prompt) }
            if let answer = try answer(typed, over: shown, refused: &refused) {
                // The person goes on without it.
                texts.keep(refused)
                return answer
            }
        }
    }

    /// - Parameter refused: the text that `:edit` opens; `nil` afterwards if the answer has it.
    /// - Returns: `nil` where it is asked again.
    private func answer(
        _ typed: GivenAnswer, over shown: PresentText?, refused: inout WrittenText?
    ) throws -> Questions.Answer? {
        let line = AnswerLine(typed.text)
        switch line {
        case .skip: return .open
        case .stop: return .stop
        case .back: return .back
        case .clear: return try texts.keeping(refused) { try questions.mayClear(shown) } ? .clear : nil
        case .overview: return .overview
        case .go(let text):
            texts.keep(typed.written)
            return .go(text)
        case .explain: QuestionHelp.lines(field).forEach { dialogue.show($0.printable) }
        case .unknown(let text):
            dialogue.show(QuestionHelp.unknown(text, at: field.question).printable)
            refused = refusing(typed.written, after: refused)
        case .editor: return try edited(&refused)
        case .answer, .add:
            let given = try texts.keeping(refused) {
                try texts.keeping(typed.written) { try accepted(line, typed: typed, over: shown) }
            }
            if let given { return .value(given) }
            refused = refusing(typed.written, after: refused)
        }
        return nil
    }

    private func edited(_ refused: inout WrittenText?) throws -> Questions.Answer? {
        guard let text = input.edited(refused?.text ?? present?.stringValue ?? "") else { return nil }
        if let refused { dialogue.discard(refused) }
        if try texts.keeping(text, while: { try isAccepted(text.text) }) {
            refused = nil
            return .value(GivenAnswer(text: text.text, written: text))
        }
        refused = text
        dialogue.show(WrittenTexts.advice)
        return nil
    }

    /// - Returns: the text that `:edit` opens next: the refused one, instead of the former one, if it is too long to be
    ///   typed again.
    private func refusing(_ written: WrittenText?, after former: WrittenText?) -> WrittenText? {
        guard let written else { return former }
        texts.keep(former)
        dialogue.show(WrittenTexts.advice)
        return written
    }

    /// - Returns: `nil` where it does not fit, or is a slip.
    private func accepted(
        _ line: AnswerLine, typed: GivenAnswer, over shown: PresentText?
    ) throws -> GivenAnswer? {
        let plain = if case .answer(let text) = line { text } else { typed.text }
        let text = OfferedChoices(of: field).suggested(plain) ?? plain
        guard let whole = try questions.answer(of: line, typed: text, over: shown),
            try isAccepted(whole)
        else { return nil }
        return GivenAnswer(text: whole, written: typed.written)
    }

    private func isAccepted(_ text: String) throws -> Bool {
        let length = field.takesLines ? TextLength.problem(ofParagraphs: text) : nil
        if let problem = problem(of: text) ?? length {
            dialogue.show("\(field.question.label) \(problem).".printable)
            return false
        }
        guard let doubt = try doubt(text) else { return true }
        return try questions.confirm("\(doubt) Sure? y or n".printable)
    }

    private func problem(of line: String) -> String? {
        do {
            _ = try AnswerReader.read(line, for: field.question, today: questions.today)
            return nil
        } catch {
            return error.message
        }
    }
}
