import DocumentValues
import Foundation
import GatewayCore

/// A document in an answer: its body with `_id`, `_rev` and the requested metadata.
struct DocumentJSON: Sendable {
    var includesRevisions = false
    /// How many of the revisions are listed.
    var revisionLimit = Int.max
    /// The list ends with the first of these, which the reader has.
    var knownRevisions: Set<Name> = []
    var includesExpiry = false

    init() {}

    /// The requested metadata of the query: `revs`, `revs_limit`, `revs_from` (or `atts_since`), `show_exp`.
    init(_ request: GatewayRequest) throws {
        knownRevisions = Set((try request.texts("revs_from") ?? request.texts("atts_since") ?? []).map { Name($0) })
        includesRevisions = request.flag("revs")
        includesExpiry = request.flag("show_exp")
        if let limit = request.query["revs_limit"].flatMap({ Int($0) }), limit >= 0 { revisionLimit = limit }
    }

    func bytes(_ document: DocumentRevision, attachments: JSONObject? = nil) -> [UInt8] {
        appendingMembers(
            members(document, attachments: attachments ?? document.attachments?.object), toObject: document.body)
    }

    private func members(_ document: DocumentRevision, attachments: JSONObject?) -> [UInt8] {
        var extra: JSONObject = [
            "_id": .string(document.id), "_rev": .string(document.revision.description),
        ]
        if document.isDeleted { extra["_deleted"] = true }
        if let attachments, !attachments.isEmpty { extra["_attachments"] = .object(attachments) }
        if includesRevisions, revisionLimit > 0 { extra["_revisions"] = revisions(document) }
        if includesExpiry, let expires = document.expires { extra["_exp"] = .string(HTTPDate.rfc3339(expires)) }
        return Array(extra.bytes.dropFirst().dropLast())
    }

    /// `{"start":n,"ids":["digest",…]}`, newest first.
    private func revisions(_ document: DocumentRevision) -> JSONValue? {
        var listed = document.ancestry.revisions.prefix(revisionLimit)
        if let known = listed.firstIndex(where: { knownRevisions.contains(Name($0.description)) }) {
            listed = listed[...known]
        }
        guard let listing = RevisionListing(listed) else { return nil }
        return ["ids": .array(listing.digests.map { .string($0) }), "start": .int(listing.start)]
    }

    /// The attachments for a reader that already has those of the named revisions.
    static func attachmentsToSend(_ document: DocumentRevision, since revisions: [String]?) -> AttachmentList {
        guard let attachments = document.attachments else { return [:] }
        let known = (revisions ?? []).compactMap { RevisionID($0) }
            .filter { document.ancestry.contains($0) }
        let position = known.map(\.attachmentPosition).max() ?? 0
        return AttachmentList(entries: attachments.list.entries.filter { ($0.position ?? 0) > Int64(position) })
    }
}
