/// Limits of what one passive session holds, each with its reason.
package enum PassiveLimits {
    /// Open `changes` messages of a connection, whose revisions have not all been sent; Sync Gateway has as many.
    static let openChanges = 2
    /// Revisions of one load, and the bytes that a load should have. Documents of a database are mostly alike, so the
    /// sizes of the last ones show how many to load; after this number of bytes the driver reads no further one.
    static let loadedRevisions = 200
    package static let loadedBytes = 4 << 20
    /// The assumed size of a revision, before any has been loaded.
    static let assumedRevisionBytes = 128 << 10
    /// Bytes of revisions that are not sent yet; beyond it no more are loaded.
    static let unsentBytes = 4 << 20
    /// Bytes of a load for which the driver has no memory left. A client without other loaded revisions gets so many,
    /// even if others leave much unread; so small documents are still sent many at a time.
    package static let leastLoadedBytes = 64 << 10

    /// Differences that were sent and not answered. Each may have to be sent again as a whole; beyond this number,
    /// whole revisions are sent.
    static let openDeltas = 1_000

    /// Sources of pushed differences that are read together, and bytes after which the driver reads no further one.
    static let loadedSources = 100
    package static let sourceBytes = 4 << 20

    /// Pushed revisions that are handed to the store together.
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
    /// Open jobs of the driver; beyond it nothing more is read, until half of them are done.
    static let jobs = 100

    /// Pushed revisions whose attachments are fetched at the same time; Sync Gateway works on five revisions at once.
    static let fetches = 4
    /// Bytes of attachments that are fetched at the same time, according to their metadata. They are on the disk until
    /// they are stored.
    static let fetchedBytes = 32 << 20
    /// Bytes of one attachment; Sync Gateway's limit.
    package static let attachmentBytes = 20 << 20
    /// Bytes of attachments that one pushed revision may bring; if larger attachments are allowed, sixteen of the
    /// largest.
    static let attachmentBytesPerRevision = 320 << 20
    static let largestAttachmentsPerRevision = 16
    /// Attachments that are requested from a client at the same time. Clients send them in turns, in frames of 16 KiB.
    /// At 512 bytes a second, the lowest allowed rate, each of sixteen has its turn within nine minutes; a message
    /// counts as abandoned after ten minutes without a frame.
    static let attachmentsAskedAtOnce = 16
    /// Attachments that one pushed revision may bring: as many as a document may have.
    static let attachmentsPerRevision = 5_000
    /// Bytes of revisions that wait for attachments. Reading cannot be stopped for them, since the attachments
    /// themselves have to be read; so further revisions are refused.
    static let waitingBytes = 64 << 20

    /// Collections of one connection.
    static let collections = 1_000
    /// Those of them that the database does not have: each index takes memory for its part.
    static let unknownCollections = 16
    /// Feeds of a connection that were given up while they waited for new rows; each goes on waiting until some come.
    static let abandonedFeeds = 16
    /// Bytes of a checkpoint's id, and of its body.
    static let checkpointIDBytes = 240
    static let checkpointBytes = 1 << 20
}
