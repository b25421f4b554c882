import DocumentValues
import FieldModels
import FieldRecords

/// The values that an `edit` gives an inspection. A form may have questions of the names `status` and `site`; then
/// these are answers.
struct InspectionValues {
    /// `status=draft` takes back that it was submitted.
    let status: String?
    /// The site as the user named it.
    let site: String?
    /// All the rest.
    let answers: [FieldValue]

    init(_ values: [FieldValue], of inspection: Inspection, form: FormDefinition?) {
        let asksStatus = form?.fields.contains { $0.name.isExactly("status") } == true
        let asksSite = inspection.editableFields(form: form).field(typed: "site") != nil
        status = asksStatus ? nil : values.last { $0.isOf("status") }?.text
        site = asksSite ? nil : values.last { $0.isOf("site") }?.text
        answers = values.filter { (asksStatus || !$0.isOf("status")) && (asksSite || !$0.isOf("site")) }
    }

    var isMoreThanAnswers: Bool { status != nil || site != nil }
}

extension FieldValue {
    /// Case does not matter.
    func isOf(_ name: String) -> Bool { field.lowercased().isExactly(name) }
}

extension [FieldValue] {
    /// Whether there are some, and all of them are of one field.
    func areAll(of name: String) -> Bool { !isEmpty && allSatisfy { $0.isOf(name) } }
}
