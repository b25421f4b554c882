import DocumentValues

/// Bodies of messages and of a store that keeps blobs inside of them, as a client's store does.
extension IncomingRevision {
    /// The body to store, with the blobs it needs.
    package func storedForm() throws(JSONError) -> DocumentBody {
        guard let attachments else { return try DocumentBody(scanned: body) }
        return try DocumentBody(body, attachments: attachments)
    }
}

extension LoadedRevision {
    package static func found(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, storedBody: [UInt8]
    ) throws -> LoadedRevision {
        guard mayContainBlobs(storedBody) else {
            return .found(revision: revision, history: history, isDeleted: isDeleted, body: storedBody, attachments: [])
        }
        let message = try AttachmentSplice.message(of: storedBody, position: revision.attachmentPosition)
        let digests = AttachmentList(message.attachments).entries.compactMap { $0.digest?.text }
        return .found(
            revision: revision, history: history, isDeleted: isDeleted, body: message.body, attachments: digests)
    }
}
