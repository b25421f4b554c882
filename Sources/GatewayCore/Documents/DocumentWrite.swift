import DocumentValues

/// One document to be stored, from a request or a message.
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

    package enum Content: Sendable, Hashable {
        /// A JSON object from a request. Members beginning with `_` are interpreted (`_deleted`, `_attachments`, `_exp`,
        /// `_rev`) and not kept.
        case object([UInt8])
        /// The parts of a message: the user's members, `_attachments`, `_exp`. Other reserved members were refused when
        /// it was read.
        case parts(body: [UInt8], attachments: JSONObject?, expiry: JSONValue?)
    }

    package var id: String
    package var content: Content
    package var edit: Edit
    /// In addition to `_deleted` in an object.
    package var isDeleted: Bool
    /// Content of attachments that the body only names (`follows`, or fetched from the peer), by digest.
    package var attachments: [BlobDigest: AttachmentContent]
    /// The sender does not want a conflict, although the database may allow it.
    package var refusesConflicts = false

    package init(
        id: String, body: [UInt8], edit: Edit = .new(replacing: nil), isDeleted: Bool = false,
        attachments: [BlobDigest: AttachmentContent] = [:]
    ) {
        self.init(id: id, content: .object(body), edit: edit, isDeleted: isDeleted, attachments: attachments)
    }

    package init(
        id: String, content: Content, edit: Edit, isDeleted: Bool, attachments: [BlobDigest: AttachmentContent] = [:]
    ) {
        self.id = id
        self.content = content
        self.edit = edit
        self.isDeleted = isDeleted
        self.attachments = attachments
    }
}

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
