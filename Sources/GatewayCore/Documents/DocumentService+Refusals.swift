import DocumentValues
import Logging

/// Refusals leave a trace: in the log, in the audit log, and in a list that administrators read.
extension DocumentService {
    /// - Parameters:
    ///   - detail: what went wrong inside the sync function, which the client does not learn.
    ///   - revision: `nil` where none was made yet.
    func noteRefusal(
        _ error: GatewayError, detail: String? = nil, of document: String, revision: String? = nil,
        in collection: CollectionName, by user: String?
    ) {
        guard error.isRefusal else { return }
        let reason = detail.map { "\(error.reason): \($0)" } ?? error.reason
        let refused = RefusedDocument(
            time: environment.now(), user: user, collection: "\(collection)", document: document,
            status: error.status, reason: reason)
        switch refusals.add(refused) {
        case .written: write(refused, revision: revision)
        case .writtenNoMore:
            let limit = GatewayLimits.refusalsLogged
            environment.logger.warning(
                "\(limit) documents of one user were refused within a minute; what follows is listed by 'refusals' alone",
                metadata: ["db": "\(name)", "user": "\(user ?? Self.administrator)"])
        case .notWritten: break
        }
    }

    private static let administrator = "(administrator)"

    /// Into both logs.
    private func write(_ refused: RefusedDocument, revision: String?) {
        var metadata: Logger.Metadata = [
            "db": "\(name)", "collection": "\(refused.collection)", "doc": "\(refused.document)",
            "status": "\(refused.status)",
            "detail": "\(refused.reason)", "user": "\(refused.user ?? Self.administrator)",
        ]
        if let revision { metadata["rev"] = "\(revision)" }
        environment.logger.info("Refused a document", metadata: metadata)
        environment.onRefusal(name, refused)
    }
}

extension GatewayError {
    /// Somebody has to do something about it: neither a conflict, which the client resolves, nor a gateway that has no
    /// time just now.
    var isRefusal: Bool {
        switch status {
        case 400, 401, 403, 413, 500, 507: true
        default: false
        }
    }
}
