import DocumentValues
import FieldModels
import FieldRecords

extension ShellSession {
    func advice(on conflict: RecordConflict, in text: ConflictText, number: String) throws -> String {
        let asked = try field().conflicts.conflict(of: conflict.kind, conflict.id, for: author().name)
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
