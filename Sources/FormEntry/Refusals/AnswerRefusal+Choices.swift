extension AnswerRefusal {
    static let noChoiceOffered = AnswerRefusal(
        "no choice is offered now", hint: "Another answer decides which are: see :why")

    static func noSuchRow(_ text: String, count: Int) -> AnswerRefusal {
        AnswerRefusal("there is no choice \(text)", hint: "They have the numbers from 1 to \(count); ? lists them")
    }

    static func noSuchChoice(_ text: String, hint: String?) -> AnswerRefusal {
        AnswerRefusal("there is no choice \(quoted(text))", hint: hint ?? "? lists them")
    }

    static func severalChoices(_ text: String, texts: [String], further: Int) -> AnswerRefusal {
        let more = further > 0 ? " and \(further) more" : ""
        return AnswerRefusal(
            "\(quoted(text)) may be \(texts.joined(separator: ", "))\(more)", hint: "Type more of it, or the number")
    }

    static func signedName(_ text: String) -> AnswerRefusal {
        AnswerRefusal(
            "\(quoted(text)) is the name of a choice, and a change of another one",
            hint: "Type the choice's number or label")
    }

    static let tooManyChoices = AnswerRefusal("the line names choices too often", hint: "Name each of them once")

    static let mixedChanges = AnswerRefusal(
        "some choices have a sign and others have none",
        hint: "With signs the present answer changes: +4 -1; without, it is replaced: 1,3")

    static let changedRank = AnswerRefusal(
        "a rank has no choices to add or to remove", hint: "Type all numbers in order: 3 1 2")

    static func repeatedRank(_ text: String) -> AnswerRefusal {
        AnswerRefusal("\(text) is named twice", hint: "Type all numbers in order, each once: 3 1 2")
    }
}
