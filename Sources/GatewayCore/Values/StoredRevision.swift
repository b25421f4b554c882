import DocumentValues
import SyncFunction

/// A revision with its content: the current one, a leaf beside it, or one that was replaced.
struct StoredRevision: Sendable {
    let revision: RevisionID
    let isDeleted: Bool
    let channels: Set<Name>
    /// Of the change that brought it.
    let sequence: UInt64
    /// Seconds since 1970.
    let expires: Int64?
    let attachments: StoredAttachments?
    /// JSON without reserved members.
    let body: [UInt8]

    /// Whether the tree has all of its content.
    var isEmptyTombstone: Bool { isDeleted && attachments == nil && body == Self.emptyBody }

    /// For the sync function that runs again.
    var meta: SyncFunctionMeta { SyncFunctionMeta(expires: expires, attachments: attachments?.object) }

    /// The names and the types of its attachments may be longer than its body.
    var bytesHeld: Int { body.count + (attachments?.byteCount ?? 0) }

    var attachmentDigests: Set<Name> { attachments?.digests ?? [] }

    /// The content of an empty tombstone.
    static func emptyTombstone(_ revision: RevisionID, at sequence: UInt64) -> StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: true, channels: [], sequence: sequence, expires: nil, attachments: nil,
            body: emptyBody)
    }

    static let emptyBody = Array("{}".utf8)
}
