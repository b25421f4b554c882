import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Begins the form that an assignment asks for, or goes on with one that was begun.
struct AssignedForm {
    let session: ShellSession
    let assignment: Assignment

    /// - Parameter form: its id.
    func start(_ form: String) throws -> Done {
        let record = try record(form)
        let start = StartCommand(session: session)
        start.showInstructions(of: assignment)
        if session.canAsk {
            return Done(try FormFilling(session: session).run(record), object: record.response.identifiedObject)
        }
        if record.savedAt == nil { try record.save(record.state, marks: record.marks) }
        let short = RecordReference.short(record.response.id, kind: .response)
        return Done("Begun: \(short). Answer it: fill \(short)", object: record.response.identifiedObject)
    }

    private func record(_ form: String) throws -> FormSession {
        let (field, user) = (try session.field(), try session.settings().user)
        let setting = try session.formSetting(language: nil)
        if let begun = try field.assignedWork.begunResponse(for: assignment.id, by: user) {
            session.dialogue.show(
                "This assignment was begun before: draft \(RecordReference.short(begun.id, kind: .response)).")
            return try FormSession.open(begun.id, in: field, setting: setting)
        }
        guard assignment.status == .open else {
            let short = RecordReference.short(assignment.id, kind: .assignment)
            throw UsageError("This assignment is \(assignment.status.rawValue).", hint: "See it with: show \(short)")
        }
        let start = StartCommand(session: session)
        try start.checkHasSite(assignment)
        if let user, !assignment.inspector.isExactly(user) {
            session.dialogue.show(
                "It is assigned to \(assignment.inspector): what you hand in does not close it.".printable)
        }
        return try FormSession.begin(
            FormLibrary(in: field).load(form), in: field, setting: setting, site: start.site(of: assignment),
            assignment: assignment.id)
    }
}
