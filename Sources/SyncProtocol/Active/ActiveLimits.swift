/// How much an active session takes on at once, each number with its reason.
package enum ActiveLimits {
    /// Collections of one session: as many as the tag of a request can distinguish, which has twelve bits for them.
    package static let collections = RequestTag.collections
    /// Local changes looked at in one read; as many as fit one `proposeChanges`.
    package static let changesPerRead = SyncLimits.rowsPerBatch
    /// `proposeChanges` without answer; enough to keep a gateway busy while it stores what came before.
    static let openProposals = 10
    /// Documents between being read and being acknowledged: those proposed, and what a gateway stores in two tenths of a
    /// second. With fewer both sides take turns instead of working at the same time. Bodies are not held for it. Those
    /// whose conflict waits for the pull, and those that the gateway could not take for now, count, too: each may be a gap in
    /// the checkpoint.
    static let documentsInPush = 6_000
    /// Documents that a feed is asked for by name: some kilobytes of names. A pull that runs once asks for the others next.
    package static let askedDocuments = 1_000
    /// Bytes of revisions that are sent and not acknowledged, as in Couchbase Lite: memory stays bounded.
    static let unacknowledgedBytes = 2 << 20
    /// Revisions read from the store in one transaction.
    static let revisionsPerLoad = 200
    /// Revisions that were asked for and did not come yet, above which further rows wait for their answer.
    static let requestedRevisions = 600
    /// The same in bytes, by what the last revisions came to: a gateway sends all that it was asked for side by side.
    static let requestedBytes = 16 << 20
    /// Rows that were announced and wait for their answer; beyond it the gateway is given up. Gateways announce two
    /// batches of some hundred at a time; a hostile one must not fill the laptop's memory.
    static let announcedRows = 100_000
    /// Revisions stored in one transaction. Larger ones gain nothing and keep other writers out longer.
    package static let revisionsPerInsert = 100
    /// Blobs fetched at the same time; each holds one frame and one open file.
    static let fetches = 8
    /// Bytes of blobs that are fetched side by side. Small ones fill the line that way; a larger one goes alone, as of
    /// a connection that breaks only whole blobs remain, and several that share the line may all be in the middle.
    static let fetchedBytes: UInt64 = 256 << 10
    /// Bytes of a blob that are taken whatever its document says of its length: as much as an attachment may have at a
    /// gateway. More has to be announced, so that no gateway fills a laptop's disk with one small photo.
    static let unannouncedBytes: UInt64 = 20 << 20
    /// Milliseconds between two saves of a checkpoint while documents flow. A crash costs a second of rows that are
    /// announced again and answered with "have it".
    static let checkpointInterval: Instant = 1_000
    /// Milliseconds after which a continuous push tries again what was refused: the gateway does not announce rights that
    /// come back where no document comes with them.
    static let refusalRetry: Instant = 300_000
    /// Milliseconds that a continuous pull, once it has caught up, has for bringing the other side of a conflict before
    /// the conflict is reported.
    static let conflictReportDelay: Instant = 5_000
    /// How often a session that runs once puts a document together with what the gateway has by then. A person who saves it
    /// several times a second leaves a gap at some time; a program that never does is not waited for.
    static let repeatedMerges: UInt64 = 10
    /// Milliseconds before the first of these tries; each waits twice as long as the one before.
    static let firstMergePause: Instant = 100
    /// All of them together take some twelve seconds then: somebody waits for a run to end.
    static let longestMergePause: Instant = 2_000
    /// Milliseconds that stopping waits for the gateway to take the last checkpoint.
    static let stopTimeout: Instant = 2_000
    /// Times that a checkpoint is written again because its revision had changed.
    static let checkpointAttempts = 10
    /// Bytes in a checkpoint's list of ranges are of no use beyond what a reader would gain; further ranges are left
    /// out, and their documents proposed once more.
    static let checkpointRanges = 500
}

/// Milliseconds since 1970, of a clock that goes on steadily: what is due later is not put off when the computer's time is
/// set back.
package typealias Instant = UInt64
