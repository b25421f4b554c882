import DocumentValues

/// The content of attachments, by document and digest, which are unique together: content is stored once for each document that
/// has it, and never changes. The document need not be stored yet. It is read in pieces of at most
/// `GatewayLimits.attachmentPiece` bytes, from their multiples: a piece each is a good row.
protocol AttachmentRows {
    /// Also for an attachment of 0 bytes, and for a replaced one that is still there.
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

    /// Deletes the content alone: a note that it was replaced stays. Does nothing if there is none.
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
    /// Notes attachments of a document as replaced, in the order of their bytes, and deletes the oldest replaced ones beyond
    /// `GatewayLimits.replacedAttachments`, or beyond `replacedAttachmentBytes` of content, but never the newest. Digests
    /// without content are passed over. One that is noted already gets the new time, and is the newest then.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - seconds: how long the attachments are kept; 0 to delete them now.
    func insert(_ digests: Set<Name>, of document: Int64, now: Int64, seconds: Int64) async throws

    /// Deletes the note, and leaves the content: a new revision brings the bytes again.
    func keep(_ digest: Name, of document: Int64) async throws

    /// Deletes those of the attachments that are noted as replaced, content and note, when a new revision refers to them
    /// without bringing their bytes: a writer must not get at them in that way.
    func deleteNow(_ digests: Set<Name>, of document: Int64) async throws

    /// Deletes attachments whose time is over at `now`, with their content: at most `GatewayLimits.forgottenAttachmentsAtOnce`
    /// for each call, those that end first at the beginning.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many.
    func forget(now: Int64) async throws -> Int
}
