import DocumentValues
import FieldModels
import FieldRecords

/// Finds a conflict by the name that the user typed.
struct ConflictFinder {
    let session: ShellSession

    /// By its number in the last list of conflicts, or by the record's id; by that also one that is a supervisor's to decide.
    func find(_ text: String) throws -> RecordConflict {
        let open = OpenConflicts(session: session)
        let conflicts = try open.all()
        if let number = Int(text), let listed = numbered(conflicts)[number] {
            return try find(listed, among: conflicts)
        }
        guard let conflict = try named(text, among: conflicts) ?? named(text, among: open.ofAllUsers()) else {
            throw UsageError("No conflict has the number or the id '\(text)'.", hint: "List them: conflicts")
        }
        return conflict
    }

    private func find(_ reference: RecordReference, among conflicts: [RecordConflict]) throws -> RecordConflict {
        guard let conflict = conflicts.first(where: { $0.kind == reference.kind && $0.id.isExactly(reference.id) })
        else {
            throw UsageError(
                "Nothing is left to decide about \(reference.kind.rawValue) \(reference.shortID).",
                hint: "What is: conflicts")
        }
        return conflict
    }

    /// - Returns: `nil` where none, or several, are of a record with this id.
    private func named(_ text: String, among conflicts: [RecordConflict]) -> RecordConflict? {
        let named = NamedItem(text, among: conflicts, takesBeginnings: false) { conflict in
            (conflict.id, RecordReference.short(conflict.id, kind: conflict.kind))
        }
        guard case .one(let conflict) = named else { return nil }
        return conflict
    }

    /// Numbers count once they were shown: which conflict is the first changes with each sync. The only one needs none.
    private func numbered(_ conflicts: [RecordConflict]) -> LastList {
        if let listed = session.shown.conflictList { return listed }
        return conflicts.count == 1 ? [RecordReference(conflicts[0].kind, id: conflicts[0].id)] : []
    }
}
