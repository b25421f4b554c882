import DocumentValues
import FieldModels
import FieldRecords

/// Who decides about what was assigned.
extension CommandRunner {
    /// The gateway would refuse it, and the assignment would be another one on this laptop alone.
    func checkMayAssign(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue], user: String) throws {
        let field = try session.field()
        guard try field.changesAssigned(conflict, choices: chosen, by: user) else { return }
        let current = conflict.fields.reduce(into: [:]) { $0[$1.path] = $1.current.value ?? .null }
        let isConfirmable = try !field.changesAssigned(conflict, choices: current, by: user)
        let hint = "What counts now you can confirm: conflicts take \(session.recordPlaceholder) current"
        if conflict.isWork(of: user) {
            if try field.supervisorRole(of: user) == .known { return }
            throw UsageError(
                "That is a supervisor's to decide, and this assignment is your own.", hint: isConfirmable ? hint : nil)
        }
        if try field.supervisorRole(of: user) != .unlikely { return }
        let question = "The gateway takes what is assigned from supervisors alone. Decide all the same?"
        guard try session.consents(to: question) else {
            throw UsageError("Nothing was decided.", hint: isConfirmable ? hint : nil)
        }
    }
}
