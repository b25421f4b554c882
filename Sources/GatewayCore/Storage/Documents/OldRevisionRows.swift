import DocumentValues

/// Replaced live revisions, kept on disk so that differences to them can be made: for a limited time, the newest few of
/// a document, and up to a limit in all. A document has one row at most of a revision. Callers do without a missing one.
protocol OldRevisionRows {
    /// `nil` also for a revision whose time is over (`expires <= now`), if it is not forgotten yet.
    func find(_ revision: RevisionID, of document: Int64, now: Int64) async throws -> RememberedRevision?
}

/// Writes the revisions that were replaced.
protocol OldRevisionWrites {
    /// Keeps the newest `GatewayLimits.oldRevisionsPerDocument` of each document, newest by the order of insertion; one that is
    /// there stays as it is, with its time and its position. Bodies
    /// shorter than `GatewayLimits.smallestOldRevision` are not kept, since a difference to them would save nothing, and
    /// neither are tombstones.
    func insert(_ revisions: [ReplacedRevision]) async throws

    /// Deletes the rows of a document, which there may be none of.
    func deleteAll(document: Int64) async throws

    /// Forgets revisions whose time is over by `now`, and those that end first if all together exceed the limit; a few for
    /// each call: `GatewayLimits.forgottenAtOnce`, with about `forgottenBytesAtOnce`.
    ///
    /// - Parameter limit: bytes of the bodies, channels and attachments of all.
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
