import DocumentValues
import FieldModels

/// Holds answers against the form they answer.
public enum FormCheck {
    /// The questions that are asked, given the answers so far: skip logic leaves out the others.
    public static func asked(in form: FormDefinition, answers: JSONObject) -> [FormField] {
        var asked: Set<Name> = []
        return form.fields.filter { field in
            guard let condition = field.condition else {
                asked.insert(Name(field.name))
                return true
            }
            let isAsked = asked.contains(Name(condition.field)) && answers[condition.field] == condition.equals
            if isAsked { asked.insert(Name(field.name)) }
            return isAsked
        }
    }

    /// Questions that have an answer and are not asked any more: another answer has closed them since, here or on another
    /// laptop. A draft keeps such an answer, which counts again with its question.
    public static func closed(in form: FormDefinition, answers: JSONObject) -> [FormField] {
        let asked = Set(asked(in: form, answers: answers).map { Name($0.name) })
        return form.fields.filter { field in
            !asked.contains(Name(field.name)) && (answers[field.name].map { !$0.isNull && $0 != "" } ?? false)
        }
    }

    /// The problems of the given answers: a draft may leave any question open.
    public static func problems(of answers: JSONObject, in form: FormDefinition) -> [FieldProblem] {
        asked(in: form, answers: answers).compactMap { field in
            answers[field.name].flatMap { $0.isNull ? nil : problem(of: $0, in: field) }
        }
    }

    /// Questions that must be answered before the inspection can be submitted.
    public static func missing(in answers: JSONObject, of form: FormDefinition) -> [FormField] {
        asked(in: form, answers: answers).filter { field in
            field.isRequired && (answers[field.name].map { $0.isNull || $0 == "" } ?? true)
        }
    }

    static func problem(of value: JSONValue, in field: FormField) -> FieldProblem? {
        switch (field.kind, value) {
        case (.text, .string(let text)): length(text, in: field)
        case (.number, .number(let number)): range(number.double, in: field)
        case (.whole, .number(let number)):
            number.int64 == nil ? field.mismatch(stored: value) : range(number.double, in: field)
        case (.yesNo, .bool): nil
        case (.choice, .string(let text)) where field.choices.containsExactly(text): nil
        case (.choice, _):
            field.mismatch(stored: value, requirement: "one of \(field.choices.joined(separator: ", "))")
        case (.day, .string(let text)):
            CalendarDay(text) == nil ? field.mismatch(stored: value, requirement: "a day such as 2026-03-04") : nil
        case (.text, _), (.number, _), (.whole, _), (.yesNo, _), (.day, _): field.mismatch(stored: value)
        }
    }

    private static func range(_ number: Double, in field: FormField) -> FieldProblem? {
        let isInside = number >= field.minimum ?? -.infinity && number <= field.maximum ?? .infinity
        return isInside
            ? nil : FieldProblem(field.name, message: "must be \(limits(field)), but is \(JSONNumber(number))")
    }

    private static func length(_ text: String, in field: FormField) -> FieldProblem? {
        let isInside = Double(text.count) >= field.minimum ?? 0 && Double(text.count) <= field.maximum ?? .infinity
        return isInside
            ? nil : FieldProblem(field.name, message: "must have \(limits(field)) characters, but has \(text.count)")
    }

    private static func limits(_ field: FormField) -> String {
        switch (field.minimum.map { JSONNumber($0) }, field.maximum.map { JSONNumber($0) }) {
        case (let least?, let most?): "\(least) to \(most)"
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "at most \(most)"
        case (nil, nil): "any number"
        }
    }
}
