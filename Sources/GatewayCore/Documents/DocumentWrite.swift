import DocumentValues

/// One document to be stored, as a request brings it.
package struct DocumentWrite: Sendable {
    /// How the new revision finds its parent in the tree.
    package enum Edit: Sendable, Hashable {
        /// An ordinary edit: the gateway makes the revision's id. `replacing` is the revision in the query or a header;
        /// without it the body's `_rev` counts.
        case new(replacing: RevisionID?)
        /// A revision made elsewhere, with its ancestors, newest first (`new_edits=false` and `rev` messages).
        case existing(RevisionID, RevisionHistory)
        /// `new_edits=false` with the ancestors given by the body's `_rev` and `_revisions`.
        case existingInBody
    }

    package var id: String
    /// A JSON object. Reserved members are interpreted (`_deleted`, `_attachments`, `_exp`, `_rev`) and not kept.
    package var body: [UInt8]
    package var edit: Edit
    /// In addition to `_deleted` in the body.
    package var isDeleted: Bool
    /// Content of attachments that the body only names (`follows`), by digest.
    package var attachments: [BlobDigest: AttachmentContent]

    package init(
        id: String, body: [UInt8], edit: Edit = .new(replacing: nil), isDeleted: Bool = false,
        attachments: [BlobDigest: AttachmentContent] = [:]
    ) {
        self.id = id
        self.body = body
        self.edit = edit
        self.isDeleted = isDeleted
        self.attachments = attachments
    }
}

/// The outcome of a write; the error is that of its refusal.
package typealias WriteResult = Result<WriteOutcome, GatewayError>

/// A stored revision.
package struct WriteOutcome: Sendable, Hashable {
    package let id: String
    package let revision: RevisionID
    /// `nil` if the revision existed already.
    package let sequence: UInt64?

    package init(id: String, revision: RevisionID, sequence: UInt64?) {
        self.id = id
        self.revision = revision
        self.sequence = sequence
    }
}
