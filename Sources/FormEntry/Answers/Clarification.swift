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

    /// How the meanings are numbered.
    private enum Keys {
        case consent
        case numbers
        /// Where a typed number may mean an answer.
        case letters
    }

    private var kind: Keys {
        if meanings.count == 1 { return .consent }
        let isNumeric = meanings.contains { if case .number = $0.answer { true } else { false } }
        // `2 Serious fault or 5 Severe fault?`: a number in front of a meaning is not that of another in this list.
        let isMistakable = meanings.enumerated().contains { index, meaning in
            Self.row(meaning).map { $0 != index + 1 && (1...meanings.count).contains($0) } ?? false
        }
        return isNumeric || isMistakable ? .letters : .numbers
    }

    /// The number with which the text of a meaning begins.
    private static func row(_ meaning: Meaning) -> Int? {
        meaning.text.split(atByte: " ", maxSplits: 1).first.flatMap { Int($0) }
    }

    /// What may be typed: `[1/2]`, `[a/b]`, `[y/n]`.
    package var keys: String {
        kind == .consent ? "[y/n]" : "[" + meanings.indices.map { key($0) }.joined(separator: "/") + "]"
    }

    /// - Parameter index: of a meaning; there are not more than `EntryLimits.clarified`.
    package func key(_ index: Int) -> String {
        guard kind == .letters else { return String(index + 1) }
        return String(Unicode.Scalar(UInt8(ascii: "a") + UInt8(clamping: min(index, 25))))
    }

    /// What to do after a reply that is none of the keys.
    package var advice: String {
        guard kind != .consent else { return "Type y or n." }
        let all = meanings.indices.map { key($0) }
        return "Type \(all.dropLast().joined(separator: ", ")) or \(all[all.count - 1]), or the whole answer."
    }

    package enum Reply: Sendable {
        case meaning(Meaning)
        /// The person takes the typed text back.
        case none
        /// The reply is none of the keys: ask again.
        case unknown
    }

    /// The text of a meaning goes before the keys.
    ///
    /// - Parameter text: typed at the question.
    package func reply(_ text: String) -> Reply {
        let typed = FoldedText.of(text.shortened(toScalars: EntryLimits.quoted))
        if let meaning = whole(typed) { return .meaning(meaning) }
        if kind == .consent {
            switch YesOrNo(typed) {
            case .yes: return .meaning(meanings[0])
            case .no: return .none
            case nil: return .unknown
            }
        }
        if let index = meanings.indices.first(where: { key($0).isExactly(PlainDigits.of(typed)) }) {
            return .meaning(meanings[index])
        }
        return typed.isEmpty || YesOrNo(typed) == .no ? .none : .unknown
    }

    /// The only meaning that the text is, or whose number it has: `1,25` for `1.25`, `2` for `2 Serious fault`.
    private func whole(_ typed: String) -> Meaning? {
        let equal = meanings.filter { meaning in
            var texts = [meaning.text]
            if Self.row(meaning) != nil, let label = meaning.text.split(atByte: " ", maxSplits: 1).dropFirst().first {
                texts.append(String(label))
            }
            return texts.contains { FoldedText.of($0).isExactly(typed) }
        }
        if equal.count == 1 { return equal[0] }
        guard kind == .letters, let values = TypedNumber(typed)?.meanings(comma: nil).map(\.value), values.count == 1
        else { return nil }
        let same = meanings.filter { meaning in
            if case .number(let value) = meaning.answer { return value == values[0] }
            return Self.row(meaning).map { Double($0) == values[0] } ?? false
        }
        return same.count == 1 ? same[0] : nil
    }
}
