import DocumentValues

/// The content of attachments, by document and digest. It is read in pieces of at most `GatewayLimits.attachmentPiece` bytes,
/// from their multiples: a piece each is a good row.
protocol AttachmentRows {
    func contains(_ digest: Name, of document: Int64) async throws -> Bool

    /// The length in bytes; `nil` if the document has no such attachment.
    func length(of digest: Name, document: Int64) async throws -> Int?

    /// Up to `count` bytes from `offset`; fewer if the attachment ends before, or was deleted.
    func read(_ digest: Name, of document: Int64, from offset: Int, count: Int) async throws -> [UInt8]

    /// Whether no current revision refers to it any more, so that it will soon be deleted.
    func isReplaced(_ digest: Name, of document: Int64) async throws -> Bool
}

/// Writes the content of attachments.
protocol AttachmentWrites {
    /// Does nothing if the document already has the attachment, or if the content brings no bytes (`length` is `nil`).
    func insert(_ content: AttachmentContent, digest: Name, of document: Int64) async throws

    /// Does nothing if there is none.
    func delete(_ digest: Name, of document: Int64) async throws

    /// Deletes the attachments, and the notes about replaced ones.
    func deleteAll(of document: Int64) async throws
}

/// Content that the current revision no longer refers to. It is kept for a while, since a client that has just received
/// the replaced revision asks for its attachments a moment later.
///
/// Access is not decided here: a digest alone gives access to nothing; a user needs a revision that refers to it and
/// that the user may see. A new revision could refer to the digest without bringing the bytes, to get at them: so such
/// a revision ends the time at once.
protocol ReplacedAttachmentWrites {
    /// Notes attachments of a document as replaced, and deletes the oldest replaced ones beyond
    /// `GatewayLimits.replacedAttachments`, or beyond `replacedAttachmentBytes` of content, but never the newest. Digests
    /// without content are passed over.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - seconds: how long the attachments are kept; 0 to delete them now.
    func insert(_ digests: Set<Name>, of document: Int64, now: Int64, seconds: Int64) async throws

    /// Ends the deletion time: a new revision brings the bytes again.
    func keep(_ digest: Name, of document: Int64) async throws

    /// Deletes those of the attachments that are noted as replaced, when a new revision refers to them without bringing
    /// their bytes: a writer must not get at them in that way.
    func deleteNow(_ digests: Set<Name>, of document: Int64) async throws

    /// Deletes attachments whose time is over, at most `GatewayLimits.forgottenAttachmentsAtOnce` for each call, with their
    /// content.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many.
    func forget(now: Int64) async throws -> Int
}
