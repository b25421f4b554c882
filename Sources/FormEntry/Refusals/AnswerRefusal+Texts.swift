import FormLogic

extension AnswerRefusal {
    static func textTooLong(_ bytes: Int) -> AnswerRefusal {
        AnswerRefusal(
            "the text has \(bytes >> 10) KiB, the limit is \(FormLimits.answer >> 10) KiB",
            hint: "Shorten it, or add it as a file")
    }

    static let lineTooLong = AnswerRefusal("the line has more than \(EntryLimits.line) characters")

    static func notYesOrNo(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be y or n, not \(quoted(text))", hint: "Enter gives OK, n leaves it open")
    }

    static let noteHasNoAnswer = AnswerRefusal("a note has no answer", hint: "Enter goes on")

    static func notAsked(_ type: String) -> AnswerRefusal {
        AnswerRefusal("a question of the type \(type) is not answered by hand")
    }
}
