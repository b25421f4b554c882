import DocumentValues

/// Bodies between the wire and a store that keeps blobs inside them, as a client's does.
extension IncomingRevision {
    /// The body to store, and the blobs it needs.
    package func storedForm() throws(JSONError) -> (body: [UInt8], digests: [BlobDigest]) {
        guard let attachments else {
            return (body, mayContainBlobs(body) ? try Self.digests(in: body) : [])
        }
        var member: [UInt8] = []
        JSONWriter.appendString(AttachmentSplice.member, to: &member)
        let wire = appendingMembers(member + [UInt8(ascii: ":")] + attachments.bytes, toObject: body)
        switch try PulledBody(reading: wire) {
        case .document(let body, let blobs): return (body, blobs.map(\.digest))
        case .removed(let rest): return (rest, [])
        }
    }

    private static func digests(in body: [UInt8]) throws(JSONError) -> [BlobDigest] {
        try JSONValue(parsing: body).blobReferences().map(\.metadata.digest)
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
