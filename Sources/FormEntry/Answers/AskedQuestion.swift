import DocumentValues
import FormLogic

/// A question as it is asked now.
package struct AskedQuestion: Sendable {
    /// Which days a date without a year means.
    package enum UsualDays: Sendable {
        case nearest
        /// The constraint allows no later one than today.
        case notAfterToday
    }

    package var type: QuestionType
    /// The choices that a select or a rank offers now; the labels on the ticks of a range, whose names are numbers.
    /// Make it once a list: the same value serves each line that is typed.
    package var choices: ChoiceIndex
    package var present: Answer?
    package var parameters: [NamedText]
    /// The parts of the appearance, as they were written.
    package var appearance: [String]
    package var usualDays: UsualDays

    package init(
        type: QuestionType, choices: ChoiceIndex = ChoiceIndex([]), present: Answer? = nil,
        parameters: [NamedText] = [], appearance: [String] = [], usualDays: UsualDays = .nearest
    ) {
        self.type = type
        self.choices = choices
        self.present = present
        self.parameters = parameters
        self.appearance = appearance
        self.usualDays = usualDays
    }

    /// With what the form says of the question.
    package init(_ node: FormNode, type: QuestionType, choices: ChoiceIndex = ChoiceIndex([]), present: Answer? = nil) {
        self.init(
            type: type, choices: choices, present: present, parameters: node.parameters, appearance: node.appearance,
            usualDays: UsualDays(constraint: node.constraint))
    }

    /// Whether the appearance has this part, in any case of its letters.
    package func hasAppearance(_ part: String) -> Bool { appearance.contains { $0.lowercased().isExactly(part) } }
}

extension AskedQuestion.UsualDays {
    /// - Parameter constraint: an expression as the author wrote it; `. <= today()` allows no later days.
    package init(constraint: String?) {
        let plain = String(
            String.UnicodeScalarView(
                (constraint ?? "").unicodeScalars.filter { !$0.properties.isWhitespace }))
        let limits = [".<=today()", ".<today()", "today()>=.", "today()>.", ".<=now()", ".<now()"]
        self = limits.contains { Self.holds(plain, part: $0) } ? .notAfterToday : .nearest
    }

    private static func holds(_ text: String, part: String) -> Bool {
        let (bytes, part) = (Array(text.utf8), Array(part.utf8))
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
}
