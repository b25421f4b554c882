import DocumentValues
import FieldModels

extension FormDefinition {
    /// Questions that are called like a member of every inspection. A line such as `score=80` would mean one of the two only,
    /// and lists of changes would have one name for both.
    var problemsOfNames: [FieldProblem] {
        let own = Self.namesOfInspections
        return fields.enumerated().filter { own.contains(Name($0.element.name)) }.map { index, field in
            let message =
                """
                must not be '\(field.name)', which every inspection has beside its form. Give the question '\(field.label)' \
                another name, such as 'asked-\(field.name)'
                """
            return FieldProblem("fields[\(index + 1)].name", message: message)
        }
    }

    /// The members of an inspection, and the names under which they are changed.
    private static let namesOfInspections: Set<Name> = {
        let plain = Inspection(id: "", site: "", date: CalendarDay(daysSince1970: 0), district: .unknown)
        let members =
            Inspection.Key.names + RecordEnvelope.Key.names + [ContestedValues.member, FieldChanges.member]
            + plain.editableFields(form: nil).map(\.question.name)
        return Set(members.map { Name($0) })
    }()
}
