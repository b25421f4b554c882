import DocumentStore
import DocumentValues
import FieldModels

/// The office may withdraw a form: no new inspection gets it, but where an assignment asks for it, and those that were begun
/// with it go on with it.
public struct InspectionForms: RecordService {
    let store: RecordStore
    let deletions: Deletions

    /// The form that an inspection answers; one that was withdrawn as this laptop had it last.
    ///
    /// - Returns: `nil` where it has none, or the laptop never had it, keeps it no longer, or cannot read it.
    public func form(of inspection: Inspection) throws -> FormDefinition? {
        try inspection.form.flatMap { try formEvenWithdrawn($0) }
    }

    /// - Parameter id: of a form that a record names.
    public func formEvenWithdrawn(_ id: String) throws -> FormDefinition? {
        if let form = try forms.findReadable(id) { return form }
        guard try !isThere(.form, id: id),
            let withdrawn = try deletions.all().first(where: { $0.kind == .form && $0.id.isExactly(id) })
        else { return nil }
        do throws(RecordError) {
            return try FormDefinition(id: id, object: withdrawn.body)
        } catch {
            return nil
        }
    }
}
