import FieldModels
import FieldRecords

extension UnsentChanges {
    /// A form may ask for something that has the name of a field.
    func takesBack(_ values: [FieldValue], of record: RecordReference, form: FormDefinition?) throws -> Bool {
        let isAnswer = values.contains { value in form?.fields.contains { value.isOf($0.name) } == true }
        return try !isAnswer && takesBack(values.map { ($0.field, $0.text) }, of: record.kind, id: record.id)
    }
}
