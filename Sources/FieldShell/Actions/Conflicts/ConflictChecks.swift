import DocumentValues
import FieldModels
import FieldRecords

/// The checks before a decision: it may only concern values that were shown, and must not remove any unseen.
struct ConflictChecks {
    let session: ShellSession
    let conflict: RecordConflict
    let chosen: [FieldPath: JSONValue]

    /// A side means the values that were shown, which a sync may have replaced since.
    func checkWasSeen() throws {
        let inShell = session.shown.conflicts[RecordReference(conflict.kind, id: conflict.id)]
        guard let shown = try inShell ?? (session.isShell ? nil : session.field().conflicts.shownFields(of: conflict))
        else {
            return
        }
        let isNew = conflict.fields.contains { field in
            chosen[field.path] != nil && !shown.contains { $0.hasSameValues(as: field) }
        }
        guard isNew else { return }
        throw UsageError(
            "There are other values than those you looked at; nothing was decided.",
            hint: "Look at them first: conflicts show \(session.recordPlaceholder)")
    }

    /// A user who only chooses a side gives no approval: the former approval is only a note in the record, and colleagues
    /// write records.
    func checkApproves(named values: [FieldValue]) throws {
        let approved = JSONValue.string(Inspection.Status.approved.rawValue)
        guard conflict.kind == .inspection, chosen[RecordConflict.status] == approved,
            conflict.object["status"] != approved,
            !values.contains(where: { $0.field.isExactly(RecordConflict.status.member) })
        else { return }
        let reference = RecordReference(conflict.kind, id: conflict.id)
        guard try session.consents(to: "That approves the inspection \(reference.shortID). Approve it?") else {
            throw UsageError(
                "Nothing was decided.",
                hint: "Name what counts: conflicts take \(session.recordPlaceholder) FIELD=VALUE")
        }
    }

    /// A photo that the record has is removed by no decision that names only a side, nor by mistake.
    func checkRemoves(names: ConflictNames) throws {
        let removed = conflict.fields.filter { field in
            field.path.isItem && field.current.value != nil && chosen[field.path]?.isNull == true
        }
        guard !removed.isEmpty else { return }
        let photos = removed.map { names.label(of: $0.path).printableLine }.joined(separator: ", ")
        let reference = RecordReference(conflict.kind, id: conflict.id)
        guard try session.consents(to: "Remove \(photos) from the \(conflict.kind.rawValue) \(reference.shortID)?")
        else {
            throw UsageError(
                "Nothing was decided.", hint: "To keep a photo: conflicts take \(session.recordPlaceholder) PHOTO=kept")
        }
    }

    /// Only supervisors may decide about the district of another user's record. A user who may be a supervisor is not
    /// asked.
    func checkMayMove() throws {
        let field = try session.field()
        guard let user = try session.settings().user,
            let owner = try field.conflicts.owner(ofDecided: conflict, choices: chosen, against: user),
            try field.store.supervisorRole(of: user) == .unlikely
        else { return }
        let reference = RecordReference(conflict.kind, id: conflict.id)
        let question =
            "Only a supervisor moves records of others to other districts, and the \(conflict.kind.rawValue) "
            + "\(reference.shortID) is \(owner)'s. Decide all the same?"
        guard try session.consents(to: question.printable) else {
            throw UsageError("Nothing was decided.", hint: "Ask \(owner) or a supervisor to decide.")
        }
    }
}

extension ContestedField {
    fileprivate func hasSameValues(as other: ContestedField) -> Bool {
        path == other.path && current.value == other.current.value
            && others.map(\.value) == other.others.map(\.value)
    }
}
