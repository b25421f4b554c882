extension ShellCommand {
    /// `atOnce` for all that may open, store or look for a photo, or needs the edits in the quarantine or the password for the
    /// gateway: a wrong passphrase must be known before a question is asked, and before anything is changed.
    var keyUse: KeyUse {
        switch self {
        case .initialize, .login, .passphrase, .passphraseForgotten, .undo, .attach, .sync, .quarantine, .importFiles,
            .export, .exportResponses, .fill, .shell:
            .atOnce
        case .photo(let request): request.action == .list ? .ifNeeded : .atOnce
        case .service(let request): request.action == .install ? .atOnce : .ifNeeded
        case .outbox(.list), .outbox(.show): .ifNeeded
        // A record gets another version, or another id, with photos that have to be here.
        case .outbox(.retry), .outbox(.retryOf), .outbox(.keep), .outbox(.discard): .atOnce
        case .conflicts(.list), .conflicts(.show): .ifNeeded
        case .conflicts(.take), .conflicts(.keepAll): .atOnce
        // Taking one in opens it where the form has files beside it.
        case .form: .ifNeeded
        case .today, .start, .list, .listDeleted, .listChanged, .find, .log, .diff, .view, .show, .new, .edit, .submit,
            .approve,
            .sendBack, .delete, .deleteFindings, .status, .more, .help, .quit:
            .ifNeeded
        }
    }
}
