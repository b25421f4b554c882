import DocumentValues

/// Why a typed text is no answer to its question.
package struct AnswerRefusal: UserFacingError {
    /// Without a full stop: `must be a whole number, not '3.5'`.
    package let reason: String
    /// What can be typed instead.
    package let hint: String?

    init(_ reason: String, hint: String? = nil) {
        self.reason = reason
        self.hint = hint
    }

    package var description: String { Sentences.joined(reason, hint: hint) }
}

extension AnswerRefusal {
    /// A typed text as a message repeats it.
    static func quoted(_ text: String) -> String {
        "'\(text.shortened(toBytes: 4 * EntryLimits.quoted).printableLine.shortened(toScalars: EntryLimits.quoted))'"
    }
}
