import BLIPProtocol

/// Why a request is refused: an HTTP status and the text that the client gets.
///
/// Each refusal is a row of the extensions in this folder, and of those in the server's; a repository test holds all other
/// files to them.
package struct GatewayError: Error, Sendable, Hashable, CustomStringConvertible {
    package let status: Int
    /// For a person; the texts are those of Sync Gateway where it has one.
    package let reason: String

    package init(_ status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }

    package var description: String { "\(status) \(reason)" }

    /// The `error` member of an HTTP answer.
    package var name: String { StatusNames.all[status]?.name ?? "Error \(status)" }

    /// The `error` member inside the answer to a bulk request.
    package var bulkName: String { StatusNames.all[status]?.bulkName ?? String(status) }

    package var blipReply: BLIPErrorReply { .http(status, message: reason) }
}

/// The names that a status has in answers. Those of 404 and 409 are CouchDB's, as are all of bulk requests.
private struct StatusNames {
    let name: String
    /// `nil` where the number is written.
    var bulkName: String?

    static let all: [Int: StatusNames] = [
        400: StatusNames(name: "Bad Request", bulkName: "bad_request"),
        401: StatusNames(name: "Unauthorized", bulkName: "unauthorized"),
        403: StatusNames(name: "Forbidden", bulkName: "forbidden"),
        404: StatusNames(name: "not_found", bulkName: "not_found"),
        405: StatusNames(name: "Method Not Allowed"),
        406: StatusNames(name: "Not Acceptable"),
        408: StatusNames(name: "Request Timeout"),
        409: StatusNames(name: "conflict", bulkName: "conflict"),
        412: StatusNames(name: "Precondition Failed"),
        413: StatusNames(name: "Request Entity Too Large"),
        415: StatusNames(name: "Unsupported Media Type"),
        416: StatusNames(name: "Requested Range Not Satisfiable"),
        422: StatusNames(name: "Unprocessable Entity"),
        429: StatusNames(name: "Too Many Requests"),
        500: StatusNames(name: "Internal Server Error"),
        501: StatusNames(name: "Not Implemented"),
        503: StatusNames(name: "Service Unavailable"),
        507: StatusNames(name: "Insufficient Storage"),
    ]
}
