import FieldModels
import FieldRecords

extension ShellCommand {
    /// The journal's title for a change by this command; `nil` for those that change no record.
    var changeTitle: String? {
        switch self {
        case .new(let request): "new \(request.kind.rawValue)"
        case .start: "start"
        case .edit: "edit"
        case .attach: "attach"
        case .photo(let request): "photo \(request.action.rawValue)"
        case .submit: "submit"
        case .approve: "approve"
        case .sendBack: "return"
        case .delete: "delete"
        case .deleteFindings: "delete findings"
        case .fill: "fill"
        case .conflicts(.take), .conflicts(.keepAll): "conflicts take"
        case .conflicts(.list), .conflicts(.show): nil
        case .initialize, .login, .passphrase, .passphraseForgotten, .today, .list, .listDeleted, .listChanged, .find,
            .log, .diff, .view, .undo, .show, .sync, .service, .status, .outbox, .quarantine, .importFiles,
            .exportResponses, .export,
            .form, .shell, .more, .help,
            .quit:
            nil
        }
    }
}
