import FieldModels
import FieldRecords

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
