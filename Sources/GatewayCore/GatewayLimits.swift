/// Bounds of what the gateway accepts and keeps.
package enum GatewayLimits {
    /// Bytes of a document's JSON.
    package static let documentSize = 20 << 20
    /// Members and elements of a document or of a sync client's message, those inside others among them. To compute with
    /// them takes some microseconds each, in which others wait: 200,000 are some tenths of a second, and a document's 20 MB
    /// would have room for ten million. A route of 50,000 points with their times has as many.
    package static let documentValues = 200_000
    /// Bytes of one attachment where the configuration does not say.
    package static let attachmentSize = 20 << 20
    /// Megabytes of one attachment that a configuration may allow.
    static let attachmentMegabytes: Int64 = 16 << 10
    /// Attachments of one document. Each has a row and a line in the document's `_attachments`, which all who read the
    /// document get; a record of a field team may refer to a thousand.
    package static let attachmentsPerDocument = 5_000
    /// Bytes of an attachment that is held in memory while it comes in; a larger one goes to a file.
    static let attachmentInMemory = 128 << 10
    /// Bytes of an attachment in one row.
    static let attachmentPiece = 128 << 10
    /// Attachments that are sent to one client at the same time, each with a piece in memory: 4 MB.
    static let attachmentsSentAtOnce = 32
    /// Bytes that an answer to a sync client takes beside its body until it is sent.
    static let bytesOfAnswer = 256
    /// Bytes that have come on a sync connection and wait for its session; above it nothing more is read until half of them are
    /// worked off. Two of the largest messages may come at once.
    static let unseenBytes = 4 << 20
    /// What one client has asked for and that is worked on at the same time. The rest waits, and so does what comes behind it.
    static let jobsOfConnection = 32
    /// Attachments that one client has asked for and that wait for their turn, some hundred bytes each: four documents
    /// with as many as a document may have. Beyond it 503.
    static let waitingAttachments = 20_000
    /// UTF-8 bytes of a document's id.
    static let documentID = 250
    /// UTF-8 bytes of a local document's id.
    static let localDocumentID = 512
    /// Bytes of all local documents that one user wrote last, in a database. They are kept for anybody who may write nothing
    /// else. A replication's checkpoint has some hundred bytes, with a thousand gaps ten thousand.
    static let localBytesOfUser: Int64 = 32 << 20
    /// Nodes of a revision tree where the configuration does not say; older ancestors are forgotten.
    static let revisions = 50
    /// The same where a document may have several live leaves, and the fewest that may be configured then.
    static let revisionsWithConflicts = 100
    static let fewestRevisionsWithConflicts: Int64 = 20
    /// Ancestors that a pushed revision may name: each is looked up. Those beyond the number of nodes are forgotten.
    static let history = 100_000
    /// Live leaves of one document; a push that would make one more has to wait until some are resolved.
    static let liveLeaves = 200
    /// Bytes of all leaves of a document beside each other: each write to it reads all of them. Three of the largest.
    static let bytesOfLeaves = 64 << 20
    /// Times a write is tried again because the document changed meanwhile.
    static let writeAttempts = 20
    /// Bytes that each user may store within a day, however little the disk has left: less than that fills no disk.
    package static let volumeAllowance = 4 << 20
    /// Bytes that a document takes beside what is in it, about: its row, and its entries in the indexes.
    static let bytesOfRow = 512
    /// Channels whose entries are among them, and bytes that the entry of each further one takes, about.
    static let channelsOfRow = 8
    static let bytesOfChannel = 100
    /// How often the names of a channel and of who it is granted to are on the disk for each document: in tables, in their
    /// indexes, and in the row of the document.
    static let copiesOfName = 3
    /// Bytes of the deletion of a live document that do not count: what it says of itself, such as who has deleted it.
    static let uncountedDeletion = 4 << 10
    /// Documents that one transaction stores.
    static let writeBatch = 1_000
    /// Documents that a resync reads and settles in one transaction.
    static let resyncBatch = 100
    /// Seconds that a sync function may be allowed to take.
    static let syncFunctionTime: Int64 = 60
    /// Writes that share a transaction.
    static let groupCommit = 2_000
    /// Rows that a transaction changes, some microseconds each, from which on what waits has the next one; the same of one
    /// account's turn at the writer. One document may have more alone.
    static let workOfCommit = 20_000
    static let workOfTurn = 1_000
    /// Pages of the write-ahead log from which on a commit brings them to the database: 16 MB.
    static let logPages = 4_000
    /// Bytes that the write-ahead log keeps on the disk when its content has gone to the database.
    static let logSize = 64 << 20
    /// Bytes a database sets aside for a full disk: to revoke and delete takes a few pages each, and a purge as much as it
    /// erases, so one attachment of the largest size and a little more.
    static let diskReserve = attachmentSize + (4 << 20)
    /// Bytes that a reserve leaves of a full disk for small files, such as the record of refusals.
    static let spareSpace = 256 << 10
    /// Milliseconds that a writer waits for a lock; there is one writer, and backups.
    static let busyTimeout = 10_000
    /// Milliseconds that emptying the log waits for readers; housekeeping tries again.
    static let logReaders = 250
    /// Bytes of free pages from which on a compaction writes a database's file again.
    static let freeBytesWorthVacuum = 1 << 20
    /// Connections to a database that read at the same time: some more than a small machine has cores, since reading waits
    /// for the disk; each has a cache of up to 4 MB.
    static let readers = 6
    /// Bytes of documents that a request names more than once, kept from row to row.
    static let repeatedDocuments = 8 << 20
    /// Rows, and bytes of documents, that are read without changing to a reader's thread.
    static let rowsReadInPlace = 4
    static let bytesReadInPlace = 128 << 10
    /// Bytes of a document's JSON up to which it is decided on between the requests of others: with as many values as they have
    /// room for, that takes some hundredths of a second.
    static let bytesPlannedInPlace = 32 << 10
    /// Bytes of a body up to which it is read with the rest of its row, before it is known whether its reader may see it.
    static let bytesReadUnseen = 4 << 10
    /// Channels of a reader up to which a feed is planned without changing to another thread.
    static let channelsPlannedInPlace = 1_000
    /// Channels by whose changes a waiting feed is woken. One that watches more is woken by all changes of its collection, and
    /// one of more roles by those of all users and roles: each entry costs all others a little with each commit.
    static let topicsOfFeed = 250
    /// Bytes of revisions that are loaded together from which on they wait for others of their account.
    static let largeLoad = 1 << 20
    /// Reads of one account at a time that take a reader.
    static let readsOfAccount = 2
    /// Rows read from all of a feed's lists together at once.
    static let feedPage = 500
    /// Bytes of documents from which on a page of rows ends: a list is read and sent page by page.
    static let pageOfDocuments = 1 << 20
    /// Channels and principals of which a database knows when they changed last, at some 150 bytes each.
    static let rememberedTopics = 200_000
    /// Documents that are looked at for a page of a list.
    static let looksOfPage = 1_000
    /// Rows read from one list at least.
    static let feedPageMinimum = 8
    /// Bytes of replaced revisions that are remembered, for clients that were just notified of them.
    static let revisionCache = 8 << 20
    /// Bytes of differences between revisions that are remembered, so that each is computed once for all clients.
    static let deltaCache = 4 << 20
    /// Bytes of a replaced revision from which on it is kept for differences.
    static let smallestOldRevision = 200
    /// Replaced revisions of one document that are kept on disk for differences.
    static let oldRevisionsPerDocument = 10
    /// Bytes of all replaced revisions that a database keeps on disk; looked after with every round of housekeeping. On a disk
    /// that has no more than that left none are kept.
    static let oldRevisions = 1 << 30
    /// Replaced revisions that one transaction of housekeeping forgets.
    static let forgottenAtOnce = 500
    /// Bytes of them, or a single larger one: the log takes as much, and on a full disk there is the reserve alone.
    static let forgottenBytesAtOnce = 8 << 20
    /// Seconds for which a replaced revision is kept where `delta_sync` does not say: a day, as in Sync Gateway.
    static let oldRevisionAge: Int64 = 24 * 3_600
    /// Bytes of an `_exp` that is no time which its refusal repeats.
    static let quotedExpiry = 60
    /// What `old_rev_expiry_seconds` is where the configuration does not say.
    static let oldRevisionExpiry: Int64 = 300
    /// Seconds that a replaced attachment is kept at most, whatever `old_rev_expiry_seconds` says.
    static let longestReplacedAttachment: Int64 = 24 * 3_600
    /// Bytes and number of a document's replaced attachments; the last one is kept whatever its size.
    static let replacedAttachmentBytes = 64 << 20
    static let replacedAttachments = 1_000
    /// Replaced attachments that one transaction of housekeeping deletes: large ones keep writers waiting.
    static let forgottenAttachmentsAtOnce = 20
    /// Seconds that `rev_max_age_seconds` may be at most.
    static let longestOldRevisionAge: Int64 = 365 * 24 * 3_600
    /// Users whose view of a collection is remembered.
    static let viewCache = 10_000
    /// Channels in all of them, some hundred bytes each.
    static let channelsOfViewCache = 1_000_000
    /// Verified credentials that are remembered.
    package static let credentialCache = 10_000
    /// Characters that a password has at least where the database does not allow empty ones: as in Sync Gateway, whose answer
    /// has the number in words, too.
    static let passwordLength = 3
    /// Sessions of one user, one-time ones among them; with one more, the one that was made or renewed longest ago
    /// ends. A depot whose tablets share a name has tens, a program that signs in for each of its runs hundreds a day.
    static let sessionsOfUser = 1_000
    /// How long a new session lasts, in seconds.
    package static let sessionLifetime: Int64 = 24 * 3_600
    /// How long a session may last that an administrator makes, in seconds.
    package static let longestSession: Int64 = 100 * 366 * 24 * 3_600
    /// How long a one-time session waits for its use, in seconds.
    package static let oneTimeSessionLifetime: Int64 = 300
    /// Bytes of a JSON Web Token: a header has no more in most servers, and its sender need not have signed in.
    static let tokenSize = 16 << 10
    /// Bytes of an issuer's key set: a key has one or two thousand, and an issuer a handful of them.
    static let keySetSize = 1 << 20
    /// Seconds that fetching it may take: a sign-in waits for it.
    static let keySetTimeout: Int64 = 10
    /// Redirects that are followed; issuers have one or none.
    static let keySetRedirects = 5
    /// Seconds between two attempts to fetch a key set: tokens that anybody makes up must not turn into requests.
    static let keySetInterval: Int64 = 10
    /// Seconds by which an issuer's clock may be ahead when it says from when a token counts.
    static let tokenLeeway = 300.0
    /// Bytes of the key under which session ids are hashed.
    static let sessionKey = 32
    /// Days that a local document is kept after it was last written.
    static let localDocumentDays: Int64 = 90
    /// Seconds up to which an expiry is counted from now; a larger number is a time.
    static let relativeExpiry: Int64 = 30 * 24 * 3_600
    /// Documents that one round of expiry ends.
    static let expiryBatch = 500
    /// How long one request computes before others have the thread: a hundred in a row make half a second.
    static let turn = Duration.milliseconds(5)
    /// How long no write may fail for want of room until a full disk counts as over.
    static let diskCalm = Duration.seconds(60)
    /// Deleted databases that are kept, each as large as it was: mistakes are noticed within days.
    static let deletedDatabases = 10
    /// Seconds between two rounds of housekeeping when no document ends earlier.
    static let maintenanceInterval: Int64 = 30
    /// Bytes by which the process has to have grown for freed memory to be given back to the system.
    static let memoryWorthGivingBack = 64 << 20
    /// Bytes that malloc may keep free at the end of each arena, of which there are up to eight for each processor.
    static let freeBytesOfArena = 4 << 20
    /// Bytes from which on one block of memory goes back to the system as soon as it is free.
    static let bytesMappedApart = 1 << 20
    /// Logins under names that exist whose password waits to be checked, at 50 ms each; beyond it the address that
    /// has the most gives one up: 429.
    package static let waitingLogins = 200
    /// Passwords of one name from one address that wait to be checked; beyond it they hear 429. Requests with the same
    /// password wait for one check, and after so many wrong ones the next has to wait anyway.
    static let waitingLoginsOfName = 5
    /// Logins, of names that do not exist too, that wait to hear that they were wrong; beyond it they hear 429.
    static let waitingRefusals = 100
    /// Of those, from one address.
    static let waitingRefusalsOfAddress = 20
    /// New passwords that wait for being hashed; beyond it 429.
    static let newPasswords = 200
    /// Users whose last sign-in a database remembers.
    static let signIns = 10_000
    /// Programs and laptops of one user whose last sign-in is remembered: a client calls itself what it likes.
    static let programsOfUser = 8
    /// Documents for which a sync function may fail before a resync stops: by then it is the function that is wrong.
    static let resyncErrors = 10
    /// Refusals that a database remembers: enough to see what is wrong, and 2 MB of memory at most.
    static let refusals = 1_000
    /// Refusals of a user that are written into the logs within a minute; the others are in the list alone.
    package static let refusalsLogged = 100
    /// Bytes of a user's mail address: what mail itself allows (RFC 5321, 4.5.3.1.3).
    static let mailAddress = 254
    /// Bytes of a refusal's reason that are kept: what a function throws may be long.
    static let refusalReason = 1_000
    /// Bytes of a document's id in lists and logs of what was not taken or cannot be read: one that is stored has 250.
    static let reportedID = 256
    /// Documents that no sync client can read, of which a database remembers that they are in the log; of more it says
    /// nothing.
    static let passedOverDocuments = 1_000
}
