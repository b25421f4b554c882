import Foundation
import SyncProtocol

/// Times, counts and sizes of the replicator, each with its reason.
package enum ReplicationLimits {
    /// Collections of one replicator: as many as one connection can distinguish. Gateways may take fewer; ours takes
    /// `PassiveLimits.collections`.
    static let collections = ActiveLimits.collections
    /// Couchbase Lite's defaults.
    package static let heartbeat: TimeInterval = 300
    /// Shorter intervals would only use up the line; no connection lasts longer than the longest one.
    static let shortestHeartbeat: TimeInterval = 0.1
    static let longestHeartbeat: TimeInterval = 365 * 86_400
    package static let maxAttemptsOneShot: UInt = 10
    package static let maxAttemptWaitTime: TimeInterval = 300
    /// Whatever a gateway asks for with `Retry-After`, and whatever the configuration allows it.
    static let longestWait: TimeInterval = 365 * 86_400
    /// The wait before the second attempt; it doubles from attempt to attempt.
    package static let firstWait: TimeInterval = 2
    /// A network comes back in steps (link, address, route); so many seconds after the last step the next attempt
    /// begins.
    static let networkSettles: TimeInterval = 0.25
    /// Progress is reported at most this often; a change of activity at once.
    static let progressInterval: TimeInterval = 0.2
    /// Document events are gathered for this long, or up to this many.
    static let documentEventInterval: TimeInterval = 0.2
    static let documentEventsPerBatch = 100
    /// Seconds for which `stopped` and `idle` wait for listeners that have not got all documents yet. Most listeners return
    /// in milliseconds; one that itself waits for that status, perhaps on another thread, would never return.
    static let listenerTime: TimeInterval = 2
    /// How much a wait may be lengthened so that many clients do not come back at the same moment.
    static let jitterFraction = 0.1
    /// Refused documents of one connection that have a line of the log each; of the others the log has the number. A
    /// gateway whose rules were changed may refuse thousands.
    static let loggedRefusals = 20
    /// Scalars of a document's id in a line of the log: an id that is refused may have any length.
    static let loggedID = 300
    /// Bytes of the disk that attachments of other users leave free: saving and sending documents needs some.
    static let spareDisk = 16 << 20
    /// Times that a conflict is resolved again because the document has changed during the resolution.
    static let resolutionAttempts = 10
    /// Resolutions of conflicts that are stored together: each commit waits for the disk.
    static let resolutionsPerCommit = 100
    /// Bytes of both sides of these conflicts, which are in memory until they are stored.
    static let resolutionBytesPerCommit = 4 << 20
    /// Time of a resolver after which its results are stored before the next call: with a slow resolver, few of them are
    /// lost if the process ends.
    static let longestResolution = Duration.milliseconds(100)
    /// Received bytes, including those being processed, from which on the socket is not read until half of them are
    /// processed.
    static let inboxBytes = 16 << 20
    /// Bytes that two databases of one process exchange before either can pause.
    static let localBytesPerTurn = 1 << 20
    /// Bytes of a blob read at once while it is hashed.
    static let blobPortion = 64 << 10
    /// Cookies kept for one database; a gateway sets one.
    static let cookies = 50
    /// Databases and their users whose cookies a process keeps: a program may sign in with another token each time.
    static let cookieJars = 100
}
