import DocumentValues
import FormLogic

/// Makes an answer of one type of question one of another.
struct AnswerConversion {
    /// Of the new version.
    let lists: [ChoiceList]
    let conversions: Conversions

    /// As a record stores it; `nil` where the other type cannot have it.
    func value(_ answer: Answer, from old: QuestionType, to new: QuestionType) -> JSONValue? {
        if old.typeName == new.typeName { return answer.json }
        switch (answer, new) {
        case (.text(let name), .select(.multiple, _)) where Self.isSelectOne(old):
            return Answer.names([Name(name)]).json
        case (.number, .plain(.decimal)): return answer.json
        case (.date(let day), .plain(.dateTime)):
            return conversions.date(day).flatMap { StoredDateTime(conversions.wholeText($0)) }.map {
                Answer.dateTime($0).json
            }
        case (_, .plain(.text)), (_, .plain(.barcode)), (_, .plain(.calculate)), (_, .plain(.hidden)):
            return .string(answer.text)
        default: return WrittenAnswer.answer(answer.text, type: new, conversions: conversions)?.json
        }
    }

    private static func isSelectOne(_ type: QuestionType) -> Bool {
        if case .select(.one, _) = type { true } else { false }
    }

    /// The stored choices that the list of the new version does not have.
    func missingChoices(_ value: JSONValue, type: QuestionType) -> [String] {
        guard case .select(_, .list(let name)) = type, let list = lists.first(where: { $0.name == name }),
            case .choices(let choices) = list.content
        else { return [] }
        let known = Set(choices.map(\.name))
        let stored = value.stringValue.map { [$0] } ?? value.arrayValue?.compactMap(\.stringValue) ?? []
        return stored.filter { !known.contains(Name($0)) }
    }
}
