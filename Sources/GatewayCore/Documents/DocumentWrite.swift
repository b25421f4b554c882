import DocumentValues

/// One document to be stored, as a request or a message brings it.
package struct DocumentWrite: Sendable {
    /// How the new revision finds its place in the tree.
    package enum Edit: Sendable, Hashable {
        /// An ordinary edit: the gateway makes the revision's id. `replacing` is what the query or a header names; without
        /// it the body's `_rev` counts.
        case new(replacing: RevisionID?)
        /// A revision made elsewhere, with its ancestors, newest first (`new_edits=false` and `rev` messages).
        case existing(RevisionID, RevisionHistory)
        /// `new_edits=false` with the place given by the body's `_rev` and `_revisions`.
        case existingInBody
    }

    package var id: String
    /// A JSON object. Members beginning with `_` are interpreted (`_deleted`, `_attachments`, `_exp`, `_rev`) and not kept.
    package var body: [UInt8]
    package var edit: Edit
    /// Beside `_deleted` in the body.
    package var isDeleted: Bool
    /// Content of attachments that the body only names (`follows`, or fetched from the peer), by digest.
    package var attachments: [BlobDigest: AttachmentContent]
    /// Came as a message: reserved members are refused with the texts of that protocol.
    package var isFromPeer: Bool
    /// Whoever sends it wants no conflict made of it, though the database may allow these.
    package var refusesConflicts = false

    package init(
        id: String, body: [UInt8], edit: Edit = .new(replacing: nil), isDeleted: Bool = false,
        attachments: [BlobDigest: AttachmentContent] = [:], isFromPeer: Bool = false
    ) {
        self.id = id
        self.body = body
        self.edit = edit
        self.isDeleted = isDeleted
        self.attachments = attachments
        self.isFromPeer = isFromPeer
    }
}

/// A stored revision.
package struct WriteOutcome: Sendable, Hashable {
    package let id: String
    package let revision: RevisionID
    /// `nil` where the revision was there already.
    package let sequence: UInt64?

    package init(id: String, revision: RevisionID, sequence: UInt64?) {
        self.id = id
        self.revision = revision
        self.sequence = sequence
    }
}
