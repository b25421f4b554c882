/// How much an active session takes on at once, each number with its reason.
package enum ActiveLimits {
    /// Collections of one session: as many as the tag of a request can distinguish, which has twelve bits for them.
    package static let collections = RequestTag.collections
    /// Local changes of one read; as many as fit in one `proposeChanges`.
    package static let changesPerRead = SyncLimits.rowsPerBatch
    /// `proposeChanges` messages without an answer; enough to keep a gateway busy while it stores earlier revisions.
    static let openProposals = 10
    /// Documents that were read and are not acknowledged yet: the proposed ones, and as many as a gateway stores in two
    /// tenths of a second. With fewer, both sides would take turns instead of working at the same time. Their bodies are not
    /// held for that long. Documents whose conflict waits for the pull, and documents that the gateway could not take for
    /// now, count, too: each may be a gap in the checkpoint.
    static let documentsInPush = 6_000
    /// Documents that one feed requests by name: some kilobytes of names. A one-shot pull requests the others next.
    package static let askedDocuments = 1_000
    /// Bytes of revisions that are sent and not acknowledged, as in Couchbase Lite: memory stays bounded.
    static let unacknowledgedBytes = 2 << 20
    /// Revisions read from the store in one transaction.
    package static let revisionsPerLoad = 200
    /// Revisions, or blobs, that a session has under way at a time after a connection that got nothing across: even if they
    /// are small, a few of them fill a slow line.
    static let narrowWindow = 4
    /// By how much each further connection that got nothing across narrows the window: the next one has one transfer at a time,
    /// the least that can be lost.
    static let narrowing = 4
    /// From this window on, the line is as good as any.
    static let widestWindow = 32
    /// Announced rows of one message in a narrow window: the fewest that Sync Gateway sends.
    static let narrowBatch = 10
    /// Documents of a connection after which the next one need not begin with a narrow window.
    package static let documentsOfAGoodLine: UInt64 = 32
    /// Requested revisions that have not come yet; with more of them, the answers to further rows wait.
    static let requestedRevisions = 600
    /// The same limit in bytes, estimated by the sizes of the last revisions: a gateway sends all requested revisions
    /// side by side.
    static let requestedBytes = 16 << 20
    /// Announced rows that wait for their answer; with more of them, the session fails. Gateways announce two batches
    /// of some hundred at a time; a hostile one must not fill the laptop's memory.
    static let announcedRows = 100_000
    /// Revisions stored in one transaction. Larger transactions gain nothing, and other writers would have to wait
    /// longer.
    package static let revisionsPerInsert = 100
    /// Blobs fetched at the same time; each holds one frame and one open file.
    static let fetches = 8
    /// Bytes of blobs that are fetched side by side. Several small blobs fill the line. A larger blob is fetched alone:
    /// if the connection breaks, only whole blobs are kept, and several large ones that share the line might all be
    /// incomplete.
    static let fetchedBytes: UInt64 = 256 << 10
    /// Bytes of a blob that are accepted even if its document declares a shorter length: as much as an attachment may
    /// have at a gateway. A longer blob has to be declared, so that no gateway fills a laptop's disk with one small
    /// photo.
    static let unannouncedBytes: UInt64 = 20 << 20
    /// Milliseconds between two saves of a checkpoint while documents flow. After a crash, the rows of a second are
    /// announced again, and answered as known.
    static let checkpointInterval: Instant = 1_000
    /// Milliseconds after which a continuous push proposes refused documents again: the gateway does not announce
    /// regained rights unless documents come with them.
    static let refusalRetry: Instant = 300_000
    /// Milliseconds between the end of catching up and the report of a conflict: until then, a continuous pull may
    /// still bring the other branch.
    static let conflictReportDelay: Instant = 5_000
    /// How often a one-shot session merges a document again because the gateway has got another revision since. A person
    /// who saves a document several times a second pauses at some time; for a program that never does, the session does not
    /// wait longer.
    static let repeatedMerges: UInt64 = 10
    /// Milliseconds before the first of these merges; each waits twice as long as the one before.
    static let firstMergePause: Instant = 100
    /// With this limit, all of them together take some twelve seconds: a user waits for the end of the run.
    static let longestMergePause: Instant = 2_000
    /// Milliseconds that a session which stops waits for the gateway: for the answers to revisions that it has sent, and to its
    /// last checkpoint.
    static let stopTimeout: Instant = 2_000
    /// How often a checkpoint is written again because its revision had changed.
    static let checkpointAttempts = 10
    /// Ranges in a checkpoint's list. The documents of later ranges are proposed once more by the next session, which costs
    /// less than a longer list in each checkpoint.
    static let checkpointRanges = 500
}

/// Milliseconds since 1970, by a monotonic clock: if the computer's time is set back, due times are not delayed.
package typealias Instant = UInt64
