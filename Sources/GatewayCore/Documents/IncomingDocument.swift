import DocumentValues
import SyncProtocol

/// The parts of a document to be stored: the user's members, and the instructions for the gateway. A message brings them
/// apart; those of a request are in its body.
struct IncomingDocument: Sendable {
    enum Edit: Sendable, Hashable {
        case new(replacing: RevisionID?)
        case existing(RevisionID, history: RevisionHistory)
    }

    let id: String
    private(set) var edit: Edit
    let isDeleted: Bool
    /// Without reserved members.
    let body: [UInt8]
    /// `nil` if there are none.
    let attachments: AttachmentList?
    /// Seconds since 1970.
    let expires: Int64?
    /// Attachments that were sent beside the body.
    let content: [BlobDigest: AttachmentContent]
    /// It must not become a leaf beside another live one, although the database may allow that.
    private(set) var refusesConflicts = false

    init(
        id: String, edit: Edit, isDeleted: Bool, body: [UInt8], attachments: AttachmentList?, expires: Int64?,
        content: [BlobDigest: AttachmentContent]
    ) throws(GatewayError) {
        guard Self.isValid(id) else { throw .invalidDocumentID }
        guard body.count <= GatewayLimits.documentSize else { throw GatewayError.documentTooLarge }
        if case .existing(_, let history) = edit, history.ancestors.count > GatewayLimits.history {
            throw .historyTooLong(history.ancestors.count)
        }
        try Self.check(edit)
        guard (attachments?.count ?? 0) <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
        self.id = id
        self.edit = edit
        self.isDeleted = isDeleted
        self.body = body
        self.attachments = attachments.flatMap { $0.isEmpty ? nil : $0 }
        self.expires = expires
        self.content = content
    }

    /// A revision must have a higher generation than its ancestors. Otherwise invented ancestors could make the tree forget
    /// a revision, so that its id could be given to another one.
    private static func check(_ edit: Edit) throws(GatewayError) {
        guard case .existing(var revision, let history) = edit else { return }
        for ancestor in history.ancestors {
            guard revision.mayDescend(from: ancestor) else {
                throw GatewayError.wrongAncestor(ancestor, of: revision)
            }
            revision = ancestor
        }
    }

    /// - Parameters:
    ///   - content: the attachments that the client has provided.
    ///   - now: seconds since 1970.
    init(_ revision: IncomingRevision, content: [BlobDigest: AttachmentContent], now: Int64) throws {
        try Self.checkValues(of: revision.body)
        try self.init(
            id: revision.documentID, edit: .existing(revision.revision, history: revision.history),
            isDeleted: revision.isDeleted, body: revision.body, attachments: revision.attachments,
            expires: try revision.expiry.flatMap { try Expiry.time($0, now: now) }, content: content)
        refusesConflicts = revision.refusesConflicts
    }

    /// The same as an edit of this revision.
    func replacing(_ revision: RevisionID) -> IncomingDocument {
        var document = self
        document.edit = .new(replacing: revision)
        return document
    }

    static func isValid(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= GatewayLimits.documentID && id.utf8.first != UInt8(ascii: "_")
    }

    static func checkValues(of body: [UInt8]) throws(GatewayError) {
        if body.hasMoreJSONValues(than: GatewayLimits.documentValues) { throw .tooManyValues }
    }
}
