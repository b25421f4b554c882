import FormLogic

/// The meaning of a typed text.
package enum AnswerOutcome: Sendable {
    /// The constraint of the form is not checked yet.
    case answer(Answer, notes: [AnswerNote])
    /// The path of a file for a picture, a sound, a film or another file; whether it is there is not known.
    case file(path: String)
    /// The question has no answer any more: `none`, or `n` at a question to acknowledge.
    case cleared
    /// Nothing was typed: the answer stays as it is.
    case kept
    /// The text may mean several answers, or one to which the person should consent.
    case question(Clarification)
    case refused(AnswerRefusal)
}

/// A remark about an answer that is taken all the same.
package enum AnswerNote: Sendable, Hashable {
    /// A text with the appearance `numbers` has something else.
    case lettersAmongNumbers
    /// Choices were named twice.
    case repeatedChoices
    /// The position was read from a code for an area of this size, in metres.
    case codeAccuracy(Double)
    /// A shape's last point was made the same as its first.
    case shapeClosed

    package var text: String {
        switch self {
        case .lettersAmongNumbers: "This question expects digits."
        case .repeatedChoices: "A choice that was named twice counts once."
        case .codeAccuracy(let metres):
            "The position is the middle of the code's area, \(LengthText.of(metres)) to its corners."
        case .shapeClosed: "The shape ends where it began."
        }
    }
}
