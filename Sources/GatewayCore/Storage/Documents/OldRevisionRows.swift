import DocumentValues

/// Live revisions that were replaced, kept on disk for differences to them: for a time, the newest few of a document,
/// and together no more than a limit.
protocol OldRevisionRows {
    /// `nil` also for what is over its time and not forgotten yet.
    func find(_ revision: RevisionID, of document: Int64, now: Int64) async throws -> RememberedRevision?
}

/// Writes the revisions that were replaced.
protocol OldRevisionWrites {
    /// Short bodies are not kept: nobody would gain from a difference to them.
    func insert(_ revisions: [ReplacedRevision]) async throws

    func deleteAll(document: Int64) async throws

    /// Forgets what is over its time, or, where all together are more than the limit, the oldest; a few at once.
    ///
    /// - Returns: whether there may be more to forget.
    func forget(now: Int64, limit: Int) async throws -> Bool
}

/// A revision that was replaced, and until when it is kept.
struct ReplacedRevision {
    let revision: StoredRevision
    /// Its number.
    let document: Int64
    /// Seconds since 1970.
    let expires: Int64
}
