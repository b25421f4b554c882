import DocumentValues
import FieldModels
import FieldRecords

/// The names of forms by their ids.
struct FormNames {
    private let names: [Name: String]

    init(_ field: FieldDatabase) throws {
        let present = try field.forms.all().records.map { (Name($0.id), $0.title) }
        // One that was withdrawn may still be assigned.
        let withdrawn = try field.deletions.all().filter { $0.kind == .form }.map { (Name($0.id), $0.title) }
        names = Dictionary(present + withdrawn, uniquingKeysWith: { first, _ in first })
    }

    /// The task: the instructions, or else the name of the form.
    func what(_ assignment: Assignment) -> String? {
        assignment.instructions
            ?? assignment.form.map { "form \(names[Name($0)] ?? RecordReference.short($0, kind: .form).asTitle)" }
    }
}
