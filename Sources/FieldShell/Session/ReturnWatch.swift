import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// Notices inspections that are returned to the user while the shell waits: a sync service brings them without a message
/// here. After its first look it reads only changed inspections.
struct ReturnWatch {
    private var through: UInt64?
    private var known: Set<RecordReference> = []

    /// - Returns: those that nothing has named yet; none at the first look, when the greeting counts them.
    mutating func new(in field: FieldDatabase, to user: String) throws -> [ReturnedInspection] {
        let inspections = field.collection(of: .inspection)
        let returns = ReturnedInspections(to: user, in: field)
        guard let start = through else {
            through = try inspections.lastSequence()
            known = Set(try returns.all().map(\.reference))
            return []
        }
        var changed: [String] = []
        through = try inspections.forEachBody(changedAfter: start) { id, _ in changed.append(id) }
        let returned = try returns.among(changed)
        let new = returned.filter { !known.contains($0.reference) }
        // An inspection that is handed in again may be returned again.
        known.subtract(changed.map { RecordReference(.inspection, id: $0) })
        known.formUnion(returned.map(\.reference))
        return new
    }

    /// A sync has named these.
    mutating func note(_ report: SyncReport) { known.formUnion(report.records.returned.map(\.reference)) }
}
