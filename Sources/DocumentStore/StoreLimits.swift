import DocumentQuery
import Foundation
import SealedSQLite

/// The limits of the store, its waits, and the portions in which it works.
package enum StoreLimits {
    /// Ancestors that a document remembers, as Couchbase Lite does; the revisions that remotes know are kept beyond it.
    package static let history = 50
    /// Bytes of a document's JSON: the limit of a gateway (20 MB).
    package static let documentBody = 20 * 1024 * 1024
    /// Levels of values that an object may have: decoders read no more, since types decode each other by nested calls.
    static let objectDepth = 512
    /// Bytes read from or written to a blob at once.
    package static let blobPortion = 64 * 1024
    /// Bytes of a file that are overwritten at once.
    static let overwritePortion = 1 << 20
    /// How long a writer waits for the other process; its largest transaction is a pulled batch of a few milliseconds.
    package static let busyTimeout: TimeInterval = 10
    /// How long a copy waits for a moment without a writer: SQLite has no queue, and a writer without pauses may get the lock
    /// again and again.
    package static let copyTimeout: TimeInterval = 60
    /// Known ancestors offered to a gateway for a revision we want.
    package static let offeredAncestors = 10
    /// Bytes of a page of a new database. A batch of documents writes half as many pages as with SQLite's 4 KB, and is a tenth
    /// faster; a commit of one document writes as many, so that it pays for the bytes where it does not wait for the disk. An
    /// encrypted database has the same: when a key is added or removed, SQLite writes one into the other.
    static let pageSize = SealedFileLimits.pageSize
    /// Bytes of pages that a writer keeps: with SQLite's 2 MB, a batch writes pages of its indexes again and again.
    static let writerCache = 16 * 1024 * 1024
    /// Bytes to which the write-ahead log is cut back after a large transaction.
    package static let logSize = 32 * 1024 * 1024
    /// Milliseconds for which emptying the log waits for readers; it can be done later as well.
    package static let checkpointTimeout = 250
    /// Bytes kept for a full disk: the log's index (32 KB), the few pages that opening writes, and what a deletion writes to
    /// the log, which is some ten pages and what the document takes.
    package static let reserve = 1024 * 1024
    /// Bytes of a full disk that the reserve leaves: what a few small saves write to the log, into pages that a purge has
    /// freed.
    package static let besideReserve = 256 * 1024
    /// With so many free bytes a disk has room for the log and for its copy in the file, whatever a commit writes.
    static let ampleSpace = 256 * 1024 * 1024
    /// Bytes by which a log may make the file grow on a disk that has hardly more than twice as many.
    static let copiedGrowth = 1024 * 1024
    /// Expired documents that one transaction purges, and on a full disk, where all that it writes has to find room in the
    /// reserve.
    static let expiredPortion = 1_000
    static let expiredPortionOfFullDisk = 5
    /// The highest sequence of a collection, which a save each microsecond would reach in 285 years.
    static let sequence: Int64 = 1 << 53
    /// Indexes of a database: each makes saving and opening take longer.
    package static let indexes = 1_000
    /// Connections for reading, and as many that find single documents.
    package static let readers = 4
    /// Documents that are read before there is a connection for that alone: opening it takes as long as some of them.
    package static let readsBeforeLookups = 16
    /// Results of queries that are read at the same time, each with a connection and some files of its own.
    package static let openResults = 64
    /// Milliseconds after which queries that wait for their turn are refused, if no result was read or given back since: 64
    /// tasks that wait for other tasks never go on.
    static let resultStandstill = 10_000
    /// Connections of such results that are kept for the next ones; opening one takes half a millisecond.
    package static let idleConnections = 4
    /// Statements of queries that each of them keeps, and how many bytes: an application has some dozens, of 10 KB each.
    static let cachedStatements = 50
    static let cachedStatementBytes = 1 << 20
    /// Rows that a query reads before it returns, so that nearly all errors are thrown there.
    package static let firstRows = 16
    /// Rows of a result in memory.
    package static let rowPortion = 512
    /// Steps of SQLite's machine, some ten microseconds, after which it looks whether a query is still wanted. Long calls of
    /// our functions look themselves (`WorkMeter`), but SQLite also copies and compares long texts in a single step.
    static let stepsBetweenLooks: Int32 = 1_000
    /// Bytes of the values that all groups of a statement gather at once for ARRAY_AGG, and of those of another array or an
    /// object that a query makes: three of the largest documents, or two million numbers. In memory an array takes some times
    /// as much.
    package static let gatheredBytes = QueryLimits.value
    /// Bytes that each value counts in addition to its text or JSON.
    static let gatheredValue = 32
    /// Seconds between two runs of a live query while changes go on.
    package static let liveQueryInterval: TimeInterval = 0.25
    /// A blob without a reference is left alone this long: its document may be about to be saved.
    package static let blobGracePeriod: TimeInterval = 3600
    /// Seconds until expired documents are purged after a failure, and the longest time between two checks for expired
    /// documents.
    static let expiryRetry = 60.0
    static let longestExpiryWait = 86_400.0
    /// How long the ids of purged documents are kept, so that the other process hears of the purge.
    package static let purgeMemory: TimeInterval = 60
    /// Seconds for which purges are gathered before full-text indexes are merged for them.
    static let leftoverDelay = 2.0
    /// Another commit can be announced before it is visible: look again after these many microseconds.
    package static let visibilityRetries = [200, 400, 800, 1_600, 3_200, 6_400, 12_800]
    /// Seconds between two looks at the file without a notice, in case one was lost.
    package static let safetyPoll: TimeInterval = 2
    /// Documents read at once where all are read.
    package static let readBatch = 500
    /// Document ids given to a listener at once.
    package static let listenerBatch = 1_000
    /// Seconds for which changes of the outbox or the quarantine are gathered before its observers get it again: it is
    /// read as a whole each time.
    package static let listInterval: TimeInterval = 0.1
    /// Log files kept at the most, whatever a sink asks for: each is renamed when a new one begins.
    package static let logFiles = 1_000
    /// Scalars of a path or an id in the text of an error or a line of the log: an id that is refused may have any length.
    package static let shownContext = 1_000
    /// Problems of a damaged database that its error names; `fieldbook db check` has all of them.
    package static let shownProblems = 5
    /// Documents of one purge that go to the quarantine and have a line of the log each; of the others the log has the
    /// number.
    package static let loggedQuarantine = 20
    /// How often saving is tried again when a conflict handler is used and the document keeps changing.
    package static let conflictHandlerAttempts = 10
}
