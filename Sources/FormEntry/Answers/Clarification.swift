import DocumentValues
import FormLogic

/// A question back.
package struct Clarification: Sendable {
    /// One of the meanings of the typed text.
    package struct Meaning: Sendable {
        package let text: String
        package let answer: Answer
        /// What the choice says about further dates in this session.
        package let remembered: DayOrder?

        package init(_ text: String, answer: Answer, remembered: DayOrder? = nil) {
            self.text = text
            self.answer = answer
            self.remembered = remembered
        }
    }

    /// `12 March or 3 December?`, `Did you mean 52.50000 N 13.40000 E?`
    package let question: String
    /// One, to which the person consents, or several.
    package let meanings: [Meaning]

    package init(_ question: String, meanings: [Meaning]) {
        self.question = question
        self.meanings = meanings
    }

    /// `12 March or 3 December?`
    init(between meanings: [Meaning]) {
        self.init(meanings.map(\.text).joined(separator: " or ") + "?", meanings: meanings)
    }

    /// A question for consent.
    static func consent(to text: String, answer: Answer, question: String? = nil) -> Clarification {
        Clarification(question ?? "Did you mean \(text)?", meanings: [Meaning(text, answer: answer)])
    }

    /// What may be typed: `[1/2]`, `[y/n]`.
    package var keys: String {
        meanings.count == 1 ? "[y/n]" : "[" + (1...meanings.count).map(String.init).joined(separator: "/") + "]"
    }

    package enum Reply: Sendable {
        case meaning(Meaning)
        /// The person takes the typed text back.
        case none
        /// The reply is none of the keys: ask again.
        case unknown
    }

    /// - Parameter text: typed at the question.
    package func reply(_ text: String) -> Reply {
        let typed = FoldedText.of(text.shortened(toScalars: EntryLimits.quoted))
        if meanings.count == 1 {
            switch YesOrNo(typed) {
            case .yes: return .meaning(meanings[0])
            case .no: return .none
            case nil: return .unknown
            }
        }
        if typed.isEmpty || YesOrNo(typed) == .no { return .none }
        guard let number = Int(typed), (1...meanings.count).contains(number) else { return .unknown }
        return .meaning(meanings[number - 1])
    }
}
