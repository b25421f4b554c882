import DocumentValues
import FieldModels
import FieldRecords

/// Deletes a record, with the records that depend on it.
struct DeleteCommand {
    let session: ShellSession

    func run(_ text: String) throws -> Done {
        try delete(try RecordFinder(session: session).find(text, among: RecordKind.allCases))
    }

    func delete(_ reference: RecordReference) throws -> Done {
        let field = try session.field()
        let deletion = try Deletion(of: reference, in: field)
        do { try deletion.check() } catch { throw try returnedFirst(reference) ?? error }
        let shown = try RecordSnapshot(of: reference, in: field)
        let owner = try ownerOfOther(reference)
        let question =
            owner.map { "\($0) Delete \(deletion.summary) all the same?" } ?? "Delete \(deletion.summary)?"
        guard try session.consents(to: question) else {
            return Done("Nothing was deleted.", object: [:])
        }
        guard let work = try field.ifStill(shown, change: { try take(reference, from: field) }) else {
            throw UsageError(
                "It was changed while you were asked; nothing was deleted.",
                hint: "Look at it first: show \(reference.shortID)")
        }
        return Done(
            "Deleted \(deletion.summary)." + (owner.map { " \($0)" } ?? "") + work.text,
            object: ["_id": .string(reference.id), "deleted": true, "findings": .int(deletion.findings)])
    }

    private func take(_ reference: RecordReference, from field: FieldDatabase) throws -> DeletedWork {
        switch reference.kind {
        case .inspection: return try deleteInspection(reference.id)
        case .site: try field.removals.deleteSite(reference.id)
        case .finding: try field.removals.deleteFinding(reference.id)
        case .form: try field.forms.delete(reference.id)
        case .assignment: try field.assignments.delete(reference.id)
        case .response: try field.responses.delete(reference.id)
        }
        return .nothing
    }

    /// If the inspection has done an assignment, that is open again.
    private func deleteInspection(_ id: String) throws -> DeletedWork {
        let field = try session.field()
        let inspection = try field.inspections.findReadable(id)
        _ = try field.removals.deleteInspection(id)
        guard let inspection else { return .nothing }
        return try field.assignedWork.openAssignment(ofDeleted: inspection, by: session.author())
    }

    /// If an inspection of others prevents the deletion, and the user may return it, the advice is to return it, and not
    /// to ask another user.
    func returnedFirst(_ reference: RecordReference) throws -> RecordObstacle? {
        let field = try session.field()
        let id = reference.kind == .finding ? try field.findings.findReadable(reference.id)?.inspection : reference.id
        guard [.inspection, .finding].contains(reference.kind), let user = try session.settings().user, let id,
            let inspection = try field.inspections.findReadable(id), try field.submissions.isHandedIn(inspection),
            !inspection.isWork(of: user), try field.store.supervisorRole(of: user) != .unlikely
        else { return nil }
        let short = RecordReference.short(id, kind: .inspection)
        let part = reference.kind == .finding ? "The finding \(reference.shortID) is part of the" : "The"
        let which = reference.kind == .finding ? ", which is" : " is"
        return RecordObstacle(
            "\(part) inspection \(short)\(which) \(inspection.status.rawValue), so it cannot be deleted.",
            hint: "Return it first: return \(short) REASON")
    }

    /// A note that the record is another user's, unless the user is known to be a supervisor.
    private func ownerOfOther(_ reference: RecordReference) throws -> String? {
        let field = try session.field()
        guard let user = try session.settings().user,
            let owner = try field.owners.owner(of: reference.kind, id: reference.id, otherThan: user),
            try field.store.supervisorRole(of: user) != .known
        else { return nil }
        return
            "The \(reference.kind.rawValue) is \(owner)'s, and the gateway lets only supervisors delete records of others."
    }
}
