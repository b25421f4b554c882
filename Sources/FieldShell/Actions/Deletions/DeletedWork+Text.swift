import FieldModels
import FieldRecords

/// Deleting an inspection that has done an assignment.
extension CommandRunner {
    func deleteInspection(_ id: String) throws -> DeletedWork {
        let field = try session.field()
        let inspection = try field.inspections.findReadable(id)
        _ = try field.removals.deleteInspection(id)
        guard let inspection else { return .nothing }
        return try field.assignedWork.openAssignment(ofDeleted: inspection, by: session.author())
    }
}

extension DeletedWork {
    /// A sentence after that of the deletion.
    var text: String {
        switch self {
        case .nothing: ""
        case .opened(let id): " Its assignment \(RecordReference.short(id, kind: .assignment)) is open again."
        case .left(let id):
            " Its assignment \(RecordReference.short(id, kind: .assignment)) stays done; a supervisor can open it: "
                + "edit \(RecordReference.short(id, kind: .assignment)) status=open"
        }
    }
}
