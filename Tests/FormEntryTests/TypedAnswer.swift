import DocumentValues
import FormLogic

@testable import FormEntry

/// A question with a present time of Wednesday 2026-03-04T13:30:30.500+01:00.
struct TypedAnswer {
    var question: AskedQuestion
    var context = AnswerContext(now: 1_772_627_430_500, zone: FixedFormZone(seconds: 3600))

    init(
        _ type: QuestionType, choices: [OfferedChoice] = [], present: Answer? = nil, appearance: [String] = [],
        parameters: [NamedText] = []
    ) {
        question = AskedQuestion(
            type: type, choices: ChoiceIndex(choices), present: present, parameters: parameters, appearance: appearance)
    }

    func outcome(_ text: String) -> AnswerOutcome { TypedAnswerReader.read(text, for: question, in: context) }

    /// The outcome in a few letters: the answer as tables have it, `? question: answer | answer`, `! reason`, or its name.
    func read(_ text: String) -> String { Self.text(outcome(text)) }

    static func text(_ outcome: AnswerOutcome) -> String {
        switch outcome {
        case .answer(let answer, let notes): answer.text + notes.map { " (\($0.text))" }.joined()
        case .file(let path): "file \(path)"
        case .cleared: "cleared"
        case .kept: "kept"
        case .question(let clarification):
            "? \(clarification.question) " + clarification.meanings.map(\.answer.text).joined(separator: " | ")
        case .refused(let refusal): "! \(refusal.reason)"
        }
    }

    /// The answer as it is shown; `nil` where the text is none.
    func shown(_ text: String) -> String? {
        guard case .answer(let answer, _) = outcome(text) else { return nil }
        return AnswerText(question, in: context).line(answer)
    }
}

/// Choices of a list, `name=Label`, or `name` alone.
func offered(_ texts: String...) -> [OfferedChoice] {
    texts.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return OfferedChoice(name: Name(parts[0]), label: parts.count > 1 ? parts[1] : nil)
    }
}
