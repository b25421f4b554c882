import DocumentValues
import FieldModels
import FieldRecords

/// Changes an assignment.
struct AssignmentEdit {
    let session: ShellSession
    let reference: RecordReference

    func edit(_ values: [FieldValue]) throws -> Done {
        let field = try session.field()
        guard let wanted = values.last(where: { $0.isOf("form") })?.text else {
            return try self.values(values) { try linkWork(of: &$0) }.run()
        }
        let form = try FormChoice(session: session).form(called: wanted)
        let others = values.filter { !$0.isOf("form") }
        let text =
            "The assignment \(reference.shortID) asks for \(form.map { "the form \($0.name)" } ?? "no form") now."
        guard others.isEmpty else {
            let edited = try self.values(others) {
                $0.form = form?.id
                try linkWork(of: &$0)
            }.run()
            return Done("\(edited.text)\n\(text)", object: edited.object)
        }
        let old = try field.assignments.find(reference.id)
        let assignment = try field.assignments.update(reference.id, by: session.author()) { $0.form = form?.id }
        let lines = [
            text, try old.map { try EditWarnings(session: session).willBeRefused(from: $0, to: assignment) } ?? "",
        ]
        return Done(lines.filter { !$0.isEmpty }.joined(separator: "\n"), object: assignment.identifiedObject)
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
