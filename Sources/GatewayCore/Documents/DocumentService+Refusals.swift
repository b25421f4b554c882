import AccessControl
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
        case .listed: write(refused, revision: revision)
        case .firstCounted:
            let limit = GatewayLimits.refusalsLogged
            environment.logger.warning(
                "\(limit) documents of one user were refused within a minute; what follows is listed by 'refusals' alone",
                metadata: ["db": "\(name)", "user": "\(user ?? Self.administrator)"])
        case .counted: break
        }
    }

    /// Of a document that was too much to be read, so that no write has come of it. Whatever else was wrong with the request
    /// says nothing of the document.
    package func noteUnread(
        _ error: any Error, of document: String, in collection: CollectionName, by requester: Requester
    ) {
        guard let error = error as? GatewayError, error.status == 413 else { return }
        noteRefusal(error, of: document, in: collection, by: requester.userName?.text)
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
    /// Of a document that is not stored: somebody has to do something about it. So it is whatever the status, but for what
    /// ends without anybody: a conflict, which the client resolves, a difference, which it repeats as a whole, and a gateway
    /// that has no time or room just now.
    var isRefusal: Bool {
        switch status {
        case 408, 409, 422, 429, 502, 503, 504: false
        default: true
        }
    }
}
