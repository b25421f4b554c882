import DocumentValues
import FieldModels
import FieldRecords

/// A step in the life of an inspection or a filled form from the shell. It asks its questions first. Then one transaction
/// checks that the record has not changed since, and makes the step.
struct InspectionStep {
    let session: ShellSession
    /// The name of the step: `Approve`.
    let name: String
    let reference: RecordReference

    /// Makes a step with an inspection as it was during the questions. Asks about changes by other users since then, or since
    /// the user looked at it.
    ///
    /// - Parameters:
    ///   - ask: asks all other questions, once it is known that the step is possible; returns the answer if it is not made.
    func run(
        ask: () throws -> Done?, make: (FieldDatabase) throws -> Done
    ) throws -> Done {
        let field = try session.field()
        var known = session.shown.records[reference]
        while true {
            let present = try RecordSnapshot(of: reference, in: field)
            if let refusal = try ask() { return refusal }
            if let known, known != present {
                showChanges(from: known, to: present)
                guard try session.consents(to: "The \(noun) has changed since you looked at it. \(question)") else {
                    return Done("Nothing was changed. Look at it again: show \(reference.shortID)", object: [:])
                }
            }
            if let done = try field.ifStill(present, change: { try make(field) }) { return done }
            session.dialogue.show("The \(noun) was changed while you were asked.")
            known = present
        }
    }

    private var noun: String { reference.kind == .response ? "filled form" : "inspection" }

    private var question: String { "\(name) it all the same?" }

    private func showChanges(from known: RecordSnapshot, to present: RecordSnapshot) {
        let changes = known.changes(to: present).map { $0.printableLine.cut(to: ShellLimits.answerShown) }
        if !changes.isEmpty { session.dialogue.show("Changed since: \(changes.joined(separator: ", "))") }
    }

    /// Asks before a step is made while two people's values are still to be decided.
    ///
    /// - Parameter settled: fields of the inspection that are decided by the step itself.
    /// - Returns: the answer if the step is not made.
    func refusedOverConflicts(
        besides settled: Set<FieldPath> = []
    ) throws -> Done? {
        guard let subjects = try ConflictMarks(session: session).undecided(of: reference, besides: settled)
        else { return nil }
        let open = "Something is still to be decided: \(subjects)."
        guard try !session.consents(to: "\(open) \(question)".printable) else { return nil }
        return Done("Nothing was changed. Decide first: conflicts", object: [:])
    }

    /// No laptop knows its user's roles: those who have work of their own and never supervised are asked.
    func refusedAsReview() throws -> Done? {
        guard let user = try session.settings().user,
            try session.field().store.supervisorRole(of: user) == .unlikely
        else { return nil }
        let what = reference.kind == .response ? "a filled form" : "an inspection"
        let doubt = "The gateway lets only supervisors approve or return \(what)."
        guard try !session.consents(to: "\(doubt) \(question)") else { return nil }
        return Done("Nothing was changed. Ask a supervisor.", object: [:])
    }
}
