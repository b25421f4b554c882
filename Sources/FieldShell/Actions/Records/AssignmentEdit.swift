import DocumentValues
import FieldModels
import FieldRecords

/// Changes an assignment.
struct AssignmentEdit {
    let session: ShellSession
    let reference: RecordReference

    func edit(_ values: [FieldValue]) throws -> Done {
        guard let wanted = values.last(where: { $0.isOf("form") })?.text else {
            return try self.values(values) { try linkWork(of: &$0) }.run()
        }
        let form = try FormChoice(session: session).form(called: wanted)
        var edit = try self.values(values.filter { !$0.isOf("form") }) { try linkWork(of: &$0) }
        edit.choose = { $0.form = form?.id }
        let edited = try edit.run()
        let asked = form.map { "the form \($0.name)" } ?? "no form"
        return Done(
            "\(edited.text)\nThe assignment \(reference.shortID) asks for \(asked) now.", object: edited.object)
    }

    private func values(
        _ values: [FieldValue], adapt: @escaping (inout Assignment) throws -> Void
    ) throws -> RecordEdit<Assignment> {
        RecordEdit(
            session: session, records: try session.field().assignments, reference: reference, values: values,
            adapt: adapt)
    }

    /// An assignment that is done names the inspection that was handed in for it, even if the user sets it to done
    /// afterwards.
    private func linkWork(of assignment: inout Assignment) throws {
        guard assignment.status == .done, assignment.inspection == nil else { return }
        let made = try session.field().listing.inspections(ofAssignment: assignment.id).filter { !$0.status.isOpen }
        assignment.inspection = made.max { ($0.date, Name($0.id)) < ($1.date, Name($1.id)) }?.id
    }
}
