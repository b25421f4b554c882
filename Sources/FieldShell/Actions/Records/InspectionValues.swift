import DocumentValues
import FieldModels
import FieldRecords

/// The values that an `edit` gives an inspection. A form of another program may have questions of the names `status` and
/// `site`; then these are answers, and the inspection's own are `inspection.status` and `inspection.site`.
struct InspectionValues {
    /// `status=draft` takes back that it was submitted.
    let status: String?
    /// The site as the user named it.
    let site: String?
    /// All the rest.
    let answers: [FieldValue]

    init(_ values: [FieldValue], form: FormDefinition?) {
        let questions = Set(form?.fields.map { Name($0.name) } ?? [])
        func isStatus(_ value: FieldValue) -> Bool { value.isOfMember("status", besides: questions) }
        func isSite(_ value: FieldValue) -> Bool { value.isOfMember("site", besides: questions) }
        status = values.last(where: isStatus)?.text
        site = values.last(where: isSite)?.text
        answers = values.filter { !isStatus($0) && !isSite($0) }
    }

    var isMoreThanAnswers: Bool { status != nil || site != nil }
}

extension FieldValue {
    /// Case does not matter.
    func isOf(_ name: String) -> Bool { field.lowercased().isExactly(name) }

    /// Whether it is of a member of the inspection, and of no question.
    fileprivate func isOfMember(_ member: String, besides questions: Set<Name>) -> Bool {
        guard !questions.contains(Name(field)) else { return false }
        return questions.contains(Name(member)) ? isOf(EditableField<Inspection>.longName(member)) : isOf(member)
    }
}

extension [FieldValue] {
    /// Whether there are some, and all of them are of one field.
    func areAll(of name: String) -> Bool { !isEmpty && allSatisfy { $0.isOf(name) } }
}
