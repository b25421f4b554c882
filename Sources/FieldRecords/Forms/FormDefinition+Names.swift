import DocumentValues
import FieldModels

extension FormDefinition {
    /// Questions that are called like a field of every inspection. A line such as `score=80` means one of the two only, and
    /// who is asked one of them has passed the other.
    var problemsOfNames: [FieldProblem] {
        let plain = Inspection(id: "", site: "", date: CalendarDay(daysSince1970: 0), district: .unknown)
        let own = plain.editableFields(form: nil).map(\.question.name)
        let advice = "which every inspection has beside its form: \(own.joined(separator: ", "))"
        return fields.enumerated().filter { own.containsExactly($0.element.name) }.map { index, field in
            FieldProblem("fields[\(index + 1)].name", message: "must not be '\(field.name)', \(advice)")
        }
    }
}
