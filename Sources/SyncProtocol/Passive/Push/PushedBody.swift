import BLIPProtocol
import DocumentValues

/// Separates the user's members in the body of a pushed revision from those of the protocol.
enum PushedBody {
    static func read(_ rev: Rev) throws(BLIPErrorReply) -> IncomingRevision {
        guard let revision = RevisionID(rev.revision), let history = RevisionHistory(parsing: rev.history) else {
            throw .badRequest("Invalid revision ID")
        }
        var bytes = rev.body.byteArray
        guard let members = try? JSONTopLevel(settling: &bytes) else {
            throw .badRequest("Invalid JSON in rev body")
        }
        var incoming = IncomingRevision(
            documentID: rev.documentID, revision: revision, history: history, isDeleted: rev.isDeleted, body: bytes)
        incoming.refusesConflicts = rev.noConflicts
        guard members.members.contains(where: { $0.key.utf8.first == UInt8(ascii: "_") }) else { return incoming }
        try refuseReserved(members)
        incoming.attachments = value("_attachments", members: members, bytes: bytes)?.objectValue
        incoming.expiry = value("_exp", members: members, bytes: bytes)
        incoming.body = members.removing(from: bytes) { taken.contains(Name($0)) }
        return incoming
    }

    /// The protocol's members; `_cv` is another form of the revision id.
    private static let taken: Set<Name> = ["_attachments", "_exp", "_cv"]

    private static let refusedAsMissing: Set<Name> = ["_id", "_rev", "_deleted", "_revisions", "_sync"]

    private static func refuseReserved(_ members: JSONTopLevel) throws(BLIPErrorReply) {
        for member in members.members {
            if refusedAsMissing.contains(Name(member.key)) {
                throw .http(404, message: "top-level property '\(member.key)' is a reserved internal property")
            }
            if member.key == "_removed" { throw .http(404, message: "Document revision is not accessible") }
            if member.key == "_purged" || member.key.hasExactPrefix("_sync_") {
                throw .badRequest("top-level property '\(member.key)' is a reserved internal property")
            }
        }
    }

    private static func value(_ key: String, members: JSONTopLevel, bytes: [UInt8]) -> JSONValue? {
        members[key].flatMap { try? JSONValue(parsing: Array(bytes[$0])) }
    }
}
