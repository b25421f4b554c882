import DocumentValues
import FieldModels
import FieldRecords

/// Who decides about a conflict, and how.
struct ConflictAdvice {
    let session: ShellSession

    /// - Parameter number: by which the user names the conflict.
    func sentence(about conflict: RecordConflict, in text: ConflictText, number: String) throws -> String {
        let user = try session.author().name
        let asked = try session.field().conflicts.conflict(of: conflict.kind, conflict.id, for: user)
        if asked != nil { return text.advice(number: number) }
        guard conflict.ofSupervisors == nil, let worker = conflict.worker else {
            return "A supervisor decides about it."
        }
        return "\(worker.printableLine) decides about it, or a supervisor."
    }
}

extension RecordConflict {
    /// `inspection k3m9x2pq7d, Old mill, 2026-03-04 routine`.
    func listedTitle(in field: FieldDatabase) throws -> String {
        let reference = RecordReference(kind, id: id)
        return "\(kind.rawValue) \(reference.shortID), \(try TitleWithSite(field.deletions).title(reference))"
    }
}
