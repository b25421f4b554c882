import DocumentStore
import DocumentValues
import FieldModels

/// Which findings are hidden because their inspection is deleted.
///
/// Findings that others have are not deleted with their inspection: another user may have edited the inspection before the
/// deletion arrives, which brings it back, and its findings have to be there then. They are deleted some weeks later: see
/// ``Deletions/deleteFindingsOfDeletedInspections(by:)``.
struct InspectionTies<Record: FieldRecord>: Sendable {
    private let deleted: Set<Name>

    /// - Parameter inspections: is not looked at for records of other kinds.
    init(_ inspections: Collection) throws {
        deleted = Record.kind == .finding ? try inspections.deletedIDs() : []
    }

    /// A finding that no list shows cannot be changed.
    ///
    /// - Throws: `RecordActionError` for a finding of a deleted inspection.
    static func check(_ record: Record, among inspections: Collection) throws {
        guard let id = (record as? Finding)?.inspection, try inspections.exchange(of: id)?.isDeleted == true else {
            return
        }
        throw RecordActionError(.partOfDeleted(inspection: id), kind: Record.kind, id: record.id)
    }

    /// Whether nothing is hidden.
    var isEmpty: Bool { deleted.isEmpty }

    func hides(_ record: Record) -> Bool { !deleted.isEmpty && hides(inspection: (record as? Finding)?.inspection) }

    /// - Parameter inspection: that of a finding, by its id.
    func hides(inspection: String?) -> Bool {
        guard !deleted.isEmpty, let inspection else { return false }
        return deleted.contains(Name(inspection))
    }
}
