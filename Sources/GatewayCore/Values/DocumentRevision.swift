import AccessControl
import DocumentValues

/// One revision in the form for a reader.
package struct DocumentRevision: Sendable, Hashable {
    package let id: String
    package let revision: RevisionID
    package let isDeleted: Bool
    /// The reader may not see it: the body is `{"_removed":true}` (or `{}` for a tombstone).
    package let isRedacted: Bool
    /// A JSON object without reserved members, except for `_removed`.
    package let body: [UInt8]
    package let attachments: StoredAttachments?
    package let history: RevisionHistory
    package let sequence: UInt64
    /// Seconds since 1970.
    package let expires: Int64?
    /// The channels of the revision.
    package let channels: Set<Name>

    package init(
        id: String, revision: RevisionID, isDeleted: Bool, isRedacted: Bool = false, body: [UInt8],
        attachments: StoredAttachments? = nil, history: RevisionHistory = RevisionHistory(), sequence: UInt64,
        expires: Int64? = nil, channels: Set<Name> = []
    ) {
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
        self.isRedacted = isRedacted
        self.body = body
        self.attachments = attachments
        self.history = history
        self.sequence = sequence
        self.expires = expires
        self.channels = channels
    }

    package var ancestry: Ancestry { Ancestry(revision: revision, history: history) }

    /// The body as it is sent.
    var bodyWithAttachments: [UInt8] { attachments.joined(to: body) }
}

extension DocumentRevision {
    /// Approximate bytes in memory.
    var weight: Int {
        body.count + (attachments?.weight ?? 0) + GatewayLimits.memoryOfRevisionID * history.ancestors.count
    }
}

/// One entry of the answer to `open_revs`.
package enum OpenRevision: Sendable, Hashable {
    case found(DocumentRevision)
    case missing(String)
}

/// All metadata of a document, for an administrator's `_raw` and `_revtree`.
package struct DocumentDetails: Sendable {
    package let revision: DocumentRevision
    package let tree: RevisionTree
    /// The channels of the current revision, and those that the document has left.
    package let channels: DocumentChannels
    /// The grants of the current revision: channels by a user's name (or `role:` and a role's), and roles by a user's.
    package let grantedChannels: [Name: Set<Name>]
    package let grantedRoles: [Name: Set<Name>]

    /// Channels of the current revision, with the sequence since which the document is in each.
    package var current: [Name: UInt64] { channels.current }
}

/// The options of a list of documents.
package struct AllDocumentsRequest: Sendable, Hashable {
    /// These only, in this order; `nil` for all in the order of their ids.
    package var keys: [String]?
    package var startKey: String?
    package var endKey: String?
    package var limit: Int?
    package var includesDocuments: Bool

    package init(
        keys: [String]? = nil, startKey: String? = nil, endKey: String? = nil, limit: Int? = nil,
        includesDocuments: Bool = false
    ) {
        self.keys = keys
        self.startKey = startKey
        self.endKey = endKey
        self.limit = limit
        self.includesDocuments = includesDocuments
    }
}

package enum AllDocumentsRow: Sendable, Hashable {
    /// The body is empty unless documents were requested.
    case document(DocumentRevision)
    /// Only for requested keys.
    case failed(key: String, GatewayError)
}

/// Consecutive rows of a list. Their number has three limits: the requested one, the size of a page with its documents,
/// and the number of documents that are examined for a page. So a page takes no longer if the reader may see only a few of
/// them.
package struct AllDocumentsPage: Sendable {
    package private(set) var rows: [AllDocumentsRow] = []
    /// The id of the last document that was examined, whether or not it has a row.
    package private(set) var last: String?
    private let limit: Int
    private var room = GatewayLimits.pageOfDocuments
    private var looks = GatewayLimits.looksOfPage

    init(limit: Int?) { self.limit = limit ?? .max }

    /// Whether the page is full, so that there may be more rows behind it.
    package var isFull: Bool { rows.count >= limit || room <= 0 || looks <= 0 }

    mutating func look(at id: String) {
        last = id
        looks -= 1
    }

    /// - Parameter isRepeated: whether it shares its memory with the same row before it.
    mutating func append(_ row: AllDocumentsRow, isRepeated: Bool = false) {
        if !isRepeated, case .document(let document) = row { room -= document.weight }
        rows.append(row)
    }
}

/// The answer to `_revs_diff` and to a peer's announcements: which revisions are unknown.
package struct MissingRevisions: Sendable, Hashable {
    package let id: String
    /// As asked, in that order.
    package let missing: [String]
    package let possibleAncestors: [RevisionID]
}

/// The answer to one row of `proposeChanges`.
package enum ProposalVerdict: Sendable, Hashable {
    case wanted
    /// 304
    case known
    /// 409, with the current revision here.
    case conflict(current: RevisionID)
}

/// A document a peer would like to push.
package struct Proposal: Sendable, Hashable {
    package var id: String
    package var revision: RevisionID
    /// The revision that the peer takes for the current one here.
    package var replacing: RevisionID?

    package init(id: String, revision: RevisionID, replacing: RevisionID?) {
        self.id = id
        self.revision = revision
        self.replacing = replacing
    }
}

/// A `_local/…` document: not replicated, without history.
package struct LocalDocument: Sendable, Hashable {
    package let id: String
    /// 1 for the first revision, then one more with each.
    let number: Int64
    /// Without `_id` and `_rev`.
    package let body: [UInt8]

    /// `0-1`, `0-2`, …
    package var revision: String { "0-\(number)" }
}
