import AccessControl
import DocumentValues
import Logging

/// Refusals are noted in the log, in the audit log, and in a list for administrators.
extension DocumentService {
    /// - Parameters:
    ///   - detail: the error inside the sync function, which the client does not get.
    ///   - revision: `nil` if none was made yet.
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
                "\(limit) documents of one user were refused within a minute; later ones are listed by 'refusals' only",
                metadata: ["db": "\(name)", "user": "\(user ?? Self.administrator)"])
        case .counted: break
        }
    }

    /// Notes a document that was too large to be read, so that no write was made of it. Other errors of the request are not
    /// about the document.
    package func noteUnread(
        _ error: any Error, of document: String, in collection: CollectionName, by requester: Requester
    ) {
        guard let error = error as? GatewayError, error.status == 413 else { return }
        noteRefusal(error, of: document, in: collection, by: requester.userName?.text)
    }

    private static let administrator = "(administrator)"

    /// Writes to both logs.
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
    /// Whether the error is a refusal that a person has to deal with. All errors are, except those that end by themselves: a
    /// conflict, which the client resolves, a difference, which it sends again as a whole, and a gateway without time or
    /// room.
    var isRefusal: Bool {
        switch status {
        case 408, 409, 422, 429, 502, 503, 504: false
        default: true
        }
    }
}
