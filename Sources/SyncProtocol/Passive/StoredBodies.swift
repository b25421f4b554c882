import DocumentValues

/// Converts bodies from the wire for a store that keeps blobs inside them, as a client's store does.
extension IncomingRevision {
    /// The body to store, with the blobs it needs.
    package func storedForm() throws(JSONError) -> DocumentBody {
        guard let attachments else { return try DocumentBody(scanned: body) }
        var member: [UInt8] = []
        JSONWriter.appendString(AttachmentSplice.member, to: &member)
        let wire = appendingMembers(member + [UInt8(ascii: ":")] + attachments.bytes, toObject: body)
        switch try PulledBody(reading: wire) {
        case .document(let body): return body
        case .removed(let rest): return try DocumentBody(scanned: rest)
        }
    }
}

extension LoadedRevision {
    package static func found(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, storedBody: [UInt8]
    ) throws -> LoadedRevision {
        guard mayContainBlobs(storedBody) else {
            return .found(revision: revision, history: history, isDeleted: isDeleted, body: storedBody, attachments: [])
        }
        let body = try AttachmentSplice.body(storedBody, position: revision.attachmentPosition)
        let attachments = try JSONObject(parsing: body)[AttachmentSplice.member]?.objectValue ?? [:]
        let digests = attachments.members.compactMap { $0.value[BlobMetadata.digestProperty]?.stringValue }
        return .found(revision: revision, history: history, isDeleted: isDeleted, body: body, attachments: digests)
    }
}
