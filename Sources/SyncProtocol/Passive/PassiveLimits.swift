/// Bounds of what one passive session holds, each with its reason.
package enum PassiveLimits {
    /// `changes` messages of a connection that are not dealt with to the end; Sync Gateway has as many.
    static let openChanges = 2
    /// Revisions that are loaded at once, and bytes that a load should come to. Documents of a database are mostly
    /// alike, so the sizes of the last ones show how many to load; after as many bytes the driver reads no further one.
    static let loadedRevisions = 200
    package static let loadedBytes = 4 << 20
    /// What a revision is taken to be before any has been seen.
    static let assumedRevisionBytes = 128 << 10
    /// Bytes of revisions that are not on their way yet; beyond it no more are loaded.
    static let unsentBytes = 4 << 20
    /// Bytes that a load may come to where the driver has no memory left for it. A client that waits for nothing else
    /// gets so many however much others leave unread, and small documents still travel many at a time.
    package static let leastLoadedBytes = 64 << 10

    /// Differences that were sent and not answered. Each may have to be sent again as a whole; beyond it revisions are
    /// sent whole at once.
    static let openDeltas = 1_000

    /// Sources of pushed differences that are read at once, and bytes after which the driver reads no further one.
    static let loadedSources = 100
    package static let sourceBytes = 4 << 20

    /// Pushed revisions that are handed to the store at once.
    static let storeBatch = 400
    /// Bytes of pushed revisions and of announcements that wait for the store, and of attachments that wait for the disk;
    /// beyond it nothing more is read from the socket …
    static let storeBytes = 16 << 20
    /// … until it has fallen to this.
    static let storeBytesToResume = 8 << 20
    /// Bytes that an announced row takes beside its text.
    static let announcedRowBytes = 160
    /// Bytes that a pushed revision takes beside its body, and each of its ancestors.
    static let revisionBytes = 300
    static let ancestorBytes = 64
    /// Pieces of work at the driver; beyond it nothing more is read, until half of them are done.
    static let jobs = 100

    /// Pushed revisions whose attachments are fetched at the same time; Sync Gateway works on five revisions at once.
    static let fetches = 4
    /// Bytes of attachments that are fetched at the same time, by what their metadata say. They lie on the disk until
    /// they are stored.
    static let fetchedBytes = 32 << 20
    /// Bytes of one attachment; Sync Gateway's limit.
    package static let attachmentBytes = 20 << 20
    /// Bytes that one pushed revision may bring; where attachments may be larger, sixteen of the largest.
    static let attachmentBytesPerRevision = 320 << 20
    static let largestAttachmentsPerRevision = 16
    /// Attachments that a client is asked for at the same time. Clients send them in turns, frame by frame of 16 KiB: at
    /// 512 bytes a second, the least that is let pass, each of sixteen has its turn within nine minutes, and after ten
    /// minutes without one a message counts as left unfinished.
    static let attachmentsAskedAtOnce = 16
    /// Attachments that one pushed revision may bring: as many as a document may have.
    static let attachmentsPerRevision = 5_000
    /// Bytes of revisions that wait for attachments. Reading cannot be stopped for them, since what they wait for has
    /// to be read; so more are turned away.
    static let waitingBytes = 64 << 20

    /// Collections of one connection.
    static let collections = 1_000
    /// Of them, those that the database does not have: each index has a part of its own, with its memory.
    static let unknownCollections = 16
    /// Feeds of a connection that were given up while they waited for news; each waits on until some come.
    static let abandonedFeeds = 16
    /// Bytes of a checkpoint's id, and of its body.
    static let checkpointIDBytes = 240
    static let checkpointBytes = 1 << 20
}
