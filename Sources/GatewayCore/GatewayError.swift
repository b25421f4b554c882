import BLIPProtocol
import DocumentValues

/// Why a request is refused: an HTTP status and the text that the client gets.
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
    package var name: String {
        switch status {
        case 404: "not_found"
        case 409: "conflict"
        default: Self.statusTexts[status] ?? "Error \(status)"
        }
    }

    /// The `error` member inside the answer to a bulk request.
    package var bulkName: String {
        switch status {
        case 400: "bad_request"
        case 401: "unauthorized"
        case 403: "forbidden"
        case 404: "not_found"
        case 409: "conflict"
        default: String(status)
        }
    }

    package var blipReply: BLIPErrorReply { .http(status, message: reason) }

    private static let statusTexts = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 405: "Method Not Allowed", 406: "Not Acceptable",
        408: "Request Timeout",
        412: "Precondition Failed", 413: "Request Entity Too Large", 415: "Unsupported Media Type",
        416: "Requested Range Not Satisfiable",
        422: "Unprocessable Entity", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 507: "Insufficient Storage",
    ]
}

extension GatewayError {
    package static let missing = GatewayError(404, reason: "missing")
    package static let deleted = GatewayError(404, reason: "deleted")
    package static let forbidden = GatewayError(403, reason: "forbidden")
    package static let documentExists = GatewayError(409, reason: "Document exists")
    package static let tooManyConflicts = GatewayError(
        409,
        reason: "The document has \(GatewayLimits.liveLeaves) conflicting revisions; some have to be resolved first")
    static let tooMuchInConflict = GatewayError(
        409,
        reason:
            "The document's conflicting revisions have more than \(GatewayLimits.bytesOfLeaves) bytes together; some "
            + "have to be resolved first")
    package static let revisionConflict = GatewayError(409, reason: "Document revision conflict")
    package static let localConflict = GatewayError(409, reason: "Document update conflict")
    package static let invalidDocumentID = GatewayError(400, reason: "Invalid doc ID")
    /// For clients without credentials, if `unsupported.guest_read_only` is set.
    package static let readOnly = GatewayError(403, reason: "Anonymous access is read-only")
    package static let underMaintenance = GatewayError(503, reason: "DB is currently under maintenance")
    package static let diskFull = GatewayError(
        503, reason: "The gateway's disk is full; nothing was stored. Free some space and try again")
    static let volumeIsUsedUp = GatewayError(
        507,
        reason:
            "You have stored as much within a day as the gateway's disk has left; others need that. Try again tomorrow, or ask "
            + "an administrator for more space")
    static let uploadsUseTheDiskUp = GatewayError(
        507,
        reason:
            "Your uploads and the data that you stored within a day are as much as the gateway's disk has left; others "
            + "need that. Let your uploads end first, or ask an administrator for more space")
    static func noRoomToCompact(_ folder: String, needed: Int, left: Int) -> GatewayError {
        GatewayError(
            507,
            reason:
                "To make the database's file smaller takes \(needed) bytes of the disk of \(folder) for a while, and it has "
                + "\(left) left. The file keeps its size, and its freed space is used again. Free some space on the disk "
                + "and try again")
    }
    /// Writing to a file of an unknown form could damage it.
    static func newerDatabase(_ path: String) -> GatewayError {
        GatewayError(
            500,
            reason:
                "\(path) was opened by a newer version of the gateway. Use that one, or restore a backup of the older one"
        )
    }
    package static let loginRequired = GatewayError(401, reason: "Login required")
    package static let invalidLogin = GatewayError(401, reason: "Invalid login")
    /// An invalid setting of a database, or one that is out of range; in the form of Sync Gateway.
    static func invalidConfiguration(_ text: String) -> GatewayError { GatewayError(400, reason: "1 errors:\n\(text)") }
}
