import AccessControl
import DocumentValues

/// A document as it is stored.
struct StoredDocument: Sendable {
    let number: Int64
    let id: String
    let sequence: UInt64
    let revision: RevisionID
    let isDeleted: Bool
    let channels: DocumentChannels
    let tree: RevisionTree
    /// Seconds since 1970.
    let expires: Int64?
    let grants: DocumentGrants
    /// The `_attachments` object: name → `{digest, length, revpos, content_type, stub}`.
    let attachments: JSONObject?
    /// JSON without reserved members.
    let body: [UInt8]
}

extension StoredDocument {
    /// The current revision by itself.
    var current: StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: isDeleted, channels: Set(channels.current.keys), sequence: sequence,
            expires: expires, attachments: attachments, body: body)
    }
}
