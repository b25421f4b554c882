import AccessControl
import DocumentValues

/// A document as it is stored: its id, and its row with the row's number.
struct StoredDocument: Sendable {
    let number: Int64
    let id: String
    let row: DocumentRow
}

/// The content of a document's row, which each change replaces; its id, its collection and its number stay.
struct DocumentRow: Sendable {
    let sequence: UInt64
    let revision: RevisionID
    let isDeleted: Bool
    let channels: DocumentChannels
    let tree: RevisionTree
    /// Seconds since 1970.
    let expires: Int64?
    let grants: DocumentGrants
    let attachments: StoredAttachments?
    /// JSON without reserved members.
    let body: [UInt8]
}

extension DocumentRow {
    /// The current revision by itself.
    var current: StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: isDeleted, channels: Set(channels.current.keys), sequence: sequence,
            expires: expires, attachments: attachments, body: body)
    }
}

extension StoredDocument {
    var sequence: UInt64 { row.sequence }
    var revision: RevisionID { row.revision }
    var isDeleted: Bool { row.isDeleted }
    var channels: DocumentChannels { row.channels }
    var tree: RevisionTree { row.tree }
    var expires: Int64? { row.expires }
    var grants: DocumentGrants { row.grants }
    var attachments: StoredAttachments? { row.attachments }
    var body: [UInt8] { row.body }
    var current: StoredRevision { row.current }
}
