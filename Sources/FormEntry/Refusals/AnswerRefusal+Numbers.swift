extension AnswerRefusal {
    static func notWhole(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a whole number, not \(quoted(text))", hint: "Such as 12 or 1 250, without a unit")
    }

    static func notNumber(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a number, not \(quoted(text))", hint: "Such as 12, 9.5 or 9,5, without a unit")
    }

    static let tooManyDigits = AnswerRefusal("a whole number has at most \(EntryLimits.integerDigits) digits")

    static let tooManyCharacters = AnswerRefusal("a number has at most \(EntryLimits.decimalCharacters) characters")

    static func outsideRange(_ text: String, from start: String, to end: String) -> AnswerRefusal {
        AnswerRefusal("must be from \(start) to \(end), not \(quoted(text))")
    }
}
