import DocumentValues

/// The content of attachments, by document and digest, in pieces.
protocol AttachmentRows {
    func contains(_ digest: Name, of document: Int64) async throws -> Bool

    /// In bytes; `nil` if it is not there.
    func length(of digest: Name, document: Int64) async throws -> Int?

    /// Up to `count` bytes from `offset`; fewer where the attachment ends or is gone.
    func read(_ digest: Name, of document: Int64, from offset: Int, count: Int) async throws -> [UInt8]

    /// Whether no current revision refers to it any more, so that it is about to go.
    func isReplaced(_ digest: Name, of document: Int64) async throws -> Bool
}

/// Writes the content of attachments.
protocol AttachmentWrites {
    /// Nothing is done where the document has it already.
    func insert(_ content: AttachmentContent, digest: Name, of document: Int64) async throws

    func delete(_ digest: Name, of document: Int64) async throws

    /// With what is noted of replaced ones.
    func deleteAll(of document: Int64) async throws
}

/// Content that the current revision no longer refers to, kept for a while: a client that was just sent the replaced
/// revision comes for its attachments a moment later.
///
/// Who gets it is not decided here: a digest alone opens nothing, only a revision that somebody may see and that names
/// it. So that nobody names it again, a revision that does without bringing the bytes ends the time at once.
protocol ReplacedAttachmentWrites {
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - seconds: for how long they are kept; 0 to delete them now.
    func insert(_ digests: Set<Name>, of document: Int64, now: Int64, seconds: Int64) async throws

    /// A new revision brings the bytes again.
    func keep(_ digest: Name, of document: Int64) async throws

    /// A new revision names these without bringing the bytes: they must not be had by that.
    func deleteNow(_ digests: Set<Name>, of document: Int64) async throws

    /// Deletes what is over its time, some at once.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many.
    func forget(now: Int64) async throws -> Int
}
