import DocumentValues
import FieldModels
import FieldRecords

/// Checks who decides about reviews and assignments: the gateway would refuse the decision of another user, and it would hold
/// on this laptop alone.
struct SupervisorQuestions {
    let session: ShellSession

    /// - Returns: whether something of it is a supervisor's to decide, and the person who works here may be one.
    /// - Throws: `UsageError` where they are none as far as this laptop knows.
    func checkSupervises(_ conflict: RecordConflict, decides paths: [FieldPath]) throws -> Bool {
        guard let user = try session.settings().user, let whole = conflict.ofSupervisors else { return false }
        guard whole.fields.contains(where: { paths.contains($0.path) }) else { return false }
        try checkSupervises(whole, user: user)
        return true
    }

    /// The inspector may not decide either whether an assignment is deleted.
    func checkSupervises(ofDeletion conflict: RecordConflict) throws {
        guard let user = try session.settings().user, let whole = conflict.ofSupervisors, whole.deletion != nil else {
            return
        }
        try checkSupervises(whole, user: user)
    }

    private func checkSupervises(_ conflict: RecordConflict, user: String) throws {
        switch conflict.kind {
        case .inspection, .response:
            guard conflict.isWork(of: user) else { return try confirmSupervisor(user, of: .review) }
            let own = conflict.kind == .response ? "filled form" : "inspection"
            throw UsageError(
                "Only a supervisor may decide that, and this \(own) is your own.", hint: "Ask one to decide.")
        case .assignment:
            if conflict.isAssigned(by: user) { return }
            guard conflict.isWork(of: user) else { return try confirmSupervisor(user, of: .assignment) }
            if try session.field().store.supervisorRole(of: user) == .known { return }
            throw UsageError(
                "Only a supervisor may decide that, and this assignment is your own.",
                hint: conflict.creator.map { "Ask \($0.printableLine), who has assigned it." } ?? "Ask one to decide.")
        case .site, .finding, .form: return
        }
    }

    private enum Subject {
        case review
        case approved
        case assignment

        var question: String {
            switch self {
            case .review, .approved:
                "The gateway lets only supervisors approve an inspection, give the reason of its return, or change it once it "
                    + "is approved. Decide all the same?"
            case .assignment: "The gateway lets only supervisors change what is assigned. Decide all the same?"
            }
        }
    }

    /// No laptop knows its user's roles: a user without any sign of supervision is asked. A user without work of their own
    /// counts as a supervisor in a decision about a review or an assignment, because only supervisors get that question; any
    /// colleague gets questions about other fields.
    private func confirmSupervisor(_ user: String, of subject: Subject) throws {
        switch (try session.field().store.supervisorRole(of: user), subject) {
        case (.known, _), (.possible, .review), (.possible, .assignment): return
        case (.possible, .approved), (.unlikely, _): break
        }
        guard try session.consents(to: subject.question) else {
            throw UsageError(
                "Nothing was decided.", hint: subject == .approved ? confirmable : "Ask a supervisor to decide.")
        }
    }

    private var confirmable: String {
        "You can confirm the current value: conflicts take \(session.recordPlaceholder) current"
    }

    /// Even in a question to all users, the chosen value can be one that only supervisors may give.
    func checkMayDecide(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue]) throws {
        guard let user = try session.settings().user else { return }
        switch conflict.kind {
        case .inspection: try checkMayReview(conflict, chosen: chosen, user: user)
        case .assignment: try checkMayAssign(conflict, chosen: chosen, user: user)
        case .site, .finding, .form, .response: return
        }
    }

    private func checkMayReview(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue], user: String) throws {
        let decisions = [Inspection.Status.approved, .returned].map { JSONValue.string($0.rawValue) }
        let isApproved = conflict.object["status"] == decisions[0]
        let changes = conflict.fields.filter { field in
            chosen[field.path].map { $0 != (field.current.value ?? .null) } ?? false
        }
        let reviews = changes.contains {
            $0.path == RecordConflict.status && decisions.contains(chosen[RecordConflict.status] ?? .null)
        }
        guard reviews || (isApproved && !changes.isEmpty) else { return }
        guard conflict.isWork(of: user) else { return try confirmSupervisor(user, of: reviews ? .review : .approved) }
        let way = "You can confirm what was approved: conflicts take \(Self.short(conflict)) current"
        throw UsageError(
            "Only a supervisor may decide that, and this inspection is your own.", hint: isApproved ? way : nil)
    }

    private static func short(_ conflict: RecordConflict) -> String {
        RecordReference.short(conflict.id, kind: conflict.kind)
    }

    private func checkMayAssign(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue], user: String) throws {
        guard conflict.isWork(of: user) else {
            if !conflict.isAssigned(by: user) { try confirmSupervisor(user, of: .assignment) }
            return
        }
        let field = try session.field()
        guard try field.conflicts.changesAssigned(conflict, choices: chosen, by: user),
            try field.store.supervisorRole(of: user) != .known
        else { return }
        throw UsageError("Only a supervisor may decide that, and this assignment is your own.", hint: confirmable)
    }
}
