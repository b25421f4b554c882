import BLIPProtocol
import DocumentValues

/// A revision that a client pushes, with its body taken apart.
package struct IncomingRevision: Sendable, Hashable {
    package var documentID: String
    package var revision: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    /// JSON without reserved members.
    package var body: [UInt8]
    /// The `_attachments` member.
    package var attachments: AttachmentList?
    /// The `_exp` member.
    package var expiry: JSONValue?
    /// The client wants a refusal instead of a conflict.
    package var refusesConflicts = false
    /// It came as a difference.
    package var isFromDelta = false
    /// Bytes of the message's body as it came: for a difference, those of the difference.
    package var messageBytes = 0
    /// The attachments that the client has provided on request, by digest.
    package var provided: [Name: ProvidedAttachment] = [:]
}

extension IncomingRevision {
    /// Separates the user's members in the body of a message from those of the protocol.
    init(_ rev: Rev) throws(BLIPErrorReply) {
        guard let revision = RevisionID(rev.revision), let history = RevisionHistory(parsing: rev.history) else {
            throw .badRequest("Invalid revision ID")
        }
        var bytes = rev.body.byteArray
        guard let members = try? JSONTopLevel(settling: &bytes) else {
            throw .badRequest("Invalid JSON in rev body")
        }
        self.init(
            documentID: rev.documentID, revision: revision, history: history, isDeleted: rev.isDeleted, body: bytes)
        refusesConflicts = rev.noConflicts
        let reserved = ReservedMembers(of: members)
        guard !reserved.isEmpty else { return }
        for found in reserved.found { try Self.check(found) }
        attachments = Self.value(of: .attachments, among: reserved, in: bytes)?.objectValue.map { AttachmentList($0) }
        expiry = Self.value(of: .expiry, among: reserved, in: bytes)
        body = reserved.removing(from: bytes)
    }

    /// Refuses members that are in no message: the message has properties for them, or only a gateway sends them.
    private static func check(_ found: ReservedMembers.Found) throws(BLIPErrorReply) {
        switch found.member {
        case .attachments, .expiry, .version: return
        case .id, .revision, .deleted, .revisions, .sync:
            throw .http(404, message: "top-level property '\(found.name)' is a reserved internal property")
        case .removed: throw .http(404, message: "Document revision is not accessible")
        case .purged, .partOfSync:
            throw .badRequest("top-level property '\(found.name)' is a reserved internal property")
        }
    }

    private static func value(
        of member: ReservedMember, among reserved: ReservedMembers, in bytes: [UInt8]
    ) -> JSONValue? {
        // The body was read before, so its members can be read.
        try? reserved.value(of: member, in: bytes)
    }
}
