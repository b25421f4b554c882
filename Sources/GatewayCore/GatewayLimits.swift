/// The limits of the gateway.
package enum GatewayLimits {
    /// Bytes of a document's JSON.
    package static let documentSize = 20 << 20
    /// Members and elements, at all levels, of a document or of a sync client's message. Each takes some microseconds, in
    /// which others wait: 200,000 take some tenths of a second, and a document's 20 MB would have room for ten million. A
    /// route of 50,000 points with their times has as many.
    package static let documentValues = 200_000
    /// Bytes of one attachment if the configuration does not set it.
    package static let attachmentSize = 20 << 20
    /// Megabytes of one attachment that a configuration may allow.
    static let attachmentMegabytes: Int64 = 16 << 10
    /// Attachments of one document. Each has a row and a line in the document's `_attachments`, which all who read the
    /// document get; a record of a field team may refer to a thousand.
    package static let attachmentsPerDocument = 5_000
    /// Bytes up to which an attachment is held in memory while it is received; a larger one goes to a file.
    static let attachmentInMemory = 128 << 10
    /// Bytes of an attachment in one row.
    static let attachmentPiece = 128 << 10
    /// Attachments that are sent to one client at the same time, each with a piece in memory: 4 MB.
    static let attachmentsSentAtOnce = 32
    /// Bytes that an answer to a sync client takes in addition to its body until it is sent.
    static let bytesOfAnswer = 256
    /// Received bytes of a sync connection that wait for its session; above that, no more is read until half of them are
    /// processed. Two of the largest messages may arrive at once.
    static let unseenBytes = 4 << 20
    /// Requests of one client that are processed at the same time. Further ones wait, and so do the messages behind them.
    static let jobsOfConnection = 32
    /// Requested attachments of one client that wait for their turn, some hundred bytes each: four documents with as
    /// many as a document may have. Beyond it 503.
    static let waitingAttachments = 20_000
    /// UTF-8 bytes of a document's id.
    static let documentID = 250
    /// UTF-8 bytes of a local document's id.
    static let localDocumentID = 512
    /// Bytes of all local documents in a database that one user wrote last. Users who may write nothing else can write
    /// these. A replication's checkpoint has some hundred bytes, with a thousand gaps ten thousand.
    static let localBytesOfUser: Int64 = 32 << 20
    /// Nodes of a revision tree if the configuration does not set it; older ancestors are forgotten.
    static let revisions = 50
    /// The same if a document may have several live leaves; then it is also the least number that may be configured.
    static let revisionsWithConflicts = 100
    static let fewestRevisionsWithConflicts: Int64 = 20
    /// Ancestors that a pushed revision may name: each is looked up. Those beyond the number of nodes are forgotten.
    static let history = 100_000
    /// Live leaves of one document; a push that would make one more has to wait until some are resolved.
    static let liveLeaves = 200
    /// Bytes of all leaves of a document together: each write to it reads all of them. Three of the largest.
    static let bytesOfLeaves = 64 << 20
    /// Times a write is tried again because the document has changed since it was read.
    static let writeAttempts = 20
    /// Times that writes are decided by a newer configuration, since theirs has changed before they were stored. Administrators
    /// change it a few times in a row; each time the attempts on the documents begin at one.
    static let configurationAttempts = 10
    /// Bytes that each user may store within a day, however little the disk has left: so few do not fill it.
    package static let volumeAllowance = 4 << 20
    /// Approximate bytes of a document in addition to its content: its row, and its entries in the indexes.
    static let bytesOfRow = 512
    /// Channels whose entries are included in that, and the approximate bytes for each further one.
    static let channelsOfRow = 8
    static let bytesOfChannel = 100
    /// How many copies of a channel's name, and of the name of the user or role to whom it is granted, are on the disk
    /// for each document: in tables, in their indexes, and in the row of the document.
    static let copiesOfName = 3
    /// Bytes of the deletion of a live document that do not count: its content, such as the name of the user who has
    /// deleted it.
    static let uncountedDeletion = 4 << 10
    /// Documents that one transaction stores.
    static let writeBatch = 1_000
    /// Documents that a resync reads and settles in one transaction.
    static let resyncBatch = 100
    /// Seconds that a sync function may be allowed to take.
    static let syncFunctionTime: Int64 = 60
    /// Writes that share a transaction.
    static let groupCommit = 2_000
    /// Changed rows, some microseconds each, after which further writes go into the next transaction; also the rows of one
    /// account's turn at the writer. A single document may have more.
    static let workOfCommit = 20_000
    static let workOfTurn = 1_000
    /// Pages of the write-ahead log from which on a commit copies them into the database: 16 MB.
    static let logPages = 4_000
    /// Bytes that the write-ahead log keeps on the disk after its content was copied into the database.
    static let logSize = 64 << 20
    /// Bytes that a database reserves for a full disk. A revocation or deletion needs a few pages, and a purge as much as
    /// it erases: so it is one attachment of the largest size and a little more.
    static let diskReserve = attachmentSize + (4 << 20)
    /// Bytes of a full disk that a reserve leaves free for small files, such as the record of refusals.
    static let spareSpace = 256 << 10
    /// Milliseconds that a writer waits for a lock; there is one writer, and backups.
    static let busyTimeout = 10_000
    /// Milliseconds that emptying the log waits for readers; housekeeping tries again.
    static let logReaders = 250
    /// Bytes of free pages from which on a compaction rewrites a database's file.
    static let freeBytesWorthVacuum = 1 << 20
    /// Connections to a database that read at the same time: a few more than the cores of a small machine, since reading
    /// waits for the disk; each has a cache of up to 4 MB.
    static let readers = 6
    /// Bytes of documents that a request names more than once, kept from row to row.
    static let repeatedDocuments = 8 << 20
    /// Rows, and bytes of documents, that are read without changing to a reader's thread.
    static let rowsReadInPlace = 4
    static let bytesReadInPlace = 128 << 10
    /// Rows of a channel's list from which on they are not read in place: a feed that waited has few new ones.
    static let newsReadInPlace = 16
    /// Bytes of a document's JSON up to which it is processed on the threads of requests: with the most values for which they
    /// have room, that takes some hundredths of a second.
    static let bytesPlannedInPlace = 32 << 10
    /// Work of an attachment and of an ancestor of a document, as bytes of JSON that take as long.
    static let workOfAttachment = 64
    static let workOfAncestor = 16
    /// Approximate bytes in memory of a revision's id in a tree or a history, of a channel's name in a document's lists, and of
    /// an attachment's entry in addition to its text: for caches and states that are counted by their size.
    static let memoryOfRevisionID = 64
    static let memoryOfChannel = 128
    static let memoryOfAttachment = 512
    /// Accounts that are checked when work of one ends, so that it takes no longer if many wait.
    static let accountsChecked = 32
    /// Times that the first one in line finds no room before no other work begins, so that a large job gets its room.
    static let missesOfWork = 64
    /// Bytes of a body up to which it is read with its row, before it is known whether the reader may see it.
    static let bytesReadUnseen = 4 << 10
    /// Channels of a reader up to which a feed is planned without changing to another thread.
    static let channelsPlannedInPlace = 1_000
    /// Channels whose changes wake a waiting feed. A feed with more channels is woken by all changes of its collection, and
    /// one with more roles by changes of all users and roles. The reason is that each entry costs a little time with each
    /// commit.
    static let topicsOfFeed = 250
    /// Bytes of revisions from which on loading them together waits for other loads of the account.
    static let largeLoad = 1 << 20
    /// Simultaneous reads of one account that use a reader.
    static let readsOfAccount = 2
    /// Rows read from all of a feed's lists together at once.
    static let feedPage = 500
    /// Bytes of documents from which on a page of rows ends: a list is read and sent page by page.
    static let pageOfDocuments = 1 << 20
    /// Channels and principals whose last change a database remembers, at some 150 bytes each.
    static let rememberedTopics = 200_000
    /// Documents that are examined for a page of a list.
    static let looksOfPage = 1_000
    /// The least number of rows that are read from one list.
    static let feedPageMinimum = 8
    /// Bytes of replaced revisions that are remembered, for clients that were just notified of them.
    static let revisionCache = 8 << 20
    /// Bytes of differences between revisions that are remembered, so that each is computed once for all clients.
    static let deltaCache = 4 << 20
    /// Bytes of a replaced revision from which on it is kept for differences.
    static let smallestOldRevision = 200
    /// Replaced revisions of one document that are kept on disk for differences.
    static let oldRevisionsPerDocument = 10
    /// Bytes of all replaced revisions that a database keeps on disk; checked in every round of housekeeping. If the disk has
    /// less than that left, none are kept.
    static let oldRevisions = 1 << 30
    /// Replaced revisions that one transaction of housekeeping forgets.
    static let forgottenAtOnce = 500
    /// Bytes of them, or a single larger one: the log takes as much, and on a full disk there is only the reserve.
    static let forgottenBytesAtOnce = 8 << 20
    /// Seconds for which a replaced revision is kept if `delta_sync` does not set it: a day, as in Sync Gateway.
    static let oldRevisionAge: Int64 = 24 * 3_600
    /// Bytes of an invalid `_exp` that its refusal repeats.
    static let quotedExpiry = 60
    /// The value of `old_rev_expiry_seconds` if the configuration does not set it.
    static let oldRevisionExpiry: Int64 = 300
    /// The most seconds that a replaced attachment is kept, whatever `old_rev_expiry_seconds` is.
    static let longestReplacedAttachment: Int64 = 24 * 3_600
    /// Bytes and number of a document's replaced attachments; the last one is kept whatever its size.
    static let replacedAttachmentBytes = 64 << 20
    static let replacedAttachments = 1_000
    /// Replaced attachments that one transaction of housekeeping deletes: writers have to wait for large ones.
    static let forgottenAttachmentsAtOnce = 20
    /// The greatest allowed `rev_max_age_seconds`.
    static let longestOldRevisionAge: Int64 = 365 * 24 * 3_600
    /// Users whose view of a collection is remembered.
    static let viewCache = 10_000
    /// Channels in all of them, some hundred bytes each.
    static let channelsOfViewCache = 1_000_000
    /// Verified credentials that are remembered.
    package static let credentialCache = 10_000
    /// The least number of characters of a password, if the database does not allow empty ones: as in Sync Gateway, whose
    /// answer has the number as a word, too.
    static let passwordLength = 3
    /// Sessions of one user, including one-time ones. One more session ends the one that was made or renewed longest
    /// ago. A depot whose tablets share a name has tens, a program that signs in for each of its runs hundreds a day.
    static let sessionsOfUser = 1_000
    /// How long a new session lasts, in seconds.
    package static let sessionLifetime: Int64 = 24 * 3_600
    /// How long a session may last that an administrator makes, in seconds.
    package static let longestSession: Int64 = 100 * 366 * 24 * 3_600
    /// How long a one-time session waits for its use, in seconds.
    package static let oneTimeSessionLifetime: Int64 = 300
    /// Bytes of a JSON Web Token: most servers accept no longer header, and its sender need not have signed in.
    static let tokenSize = 16 << 10
    /// Bytes of an issuer's key set: a key has one or two thousand, and an issuer a handful of them.
    static let keySetSize = 1 << 20
    /// Seconds that fetching it may take: a sign-in waits for it.
    static let keySetTimeout: Int64 = 10
    /// Redirects that are followed; issuers have one or none.
    static let keySetRedirects = 5
    /// Seconds between two attempts to fetch a key set: invented tokens must not cause requests.
    static let keySetInterval: Int64 = 10
    /// Seconds by which an issuer's clock may be ahead, for the time from which a token is valid.
    static let tokenLeeway = 300.0
    /// Bytes of the key under which session ids are hashed.
    static let sessionKey = 32
    /// Days that a local document is kept after it was last written.
    static let localDocumentDays: Int64 = 90
    /// The greatest number that means seconds from now in an expiry; a larger number is a time.
    static let relativeExpiry: Int64 = 30 * 24 * 3_600
    /// Documents that expire in one round.
    static let expiryBatch = 500
    /// How long one request computes before others get the thread: a hundred in a row make half a second.
    static let turn = Duration.milliseconds(5)
    /// A disk counts as full until no write has failed for lack of room for so long.
    static let diskCalm = Duration.seconds(60)
    /// Seconds between two lines of the log about failures of a database's storage of the same kind: a disk that fails would
    /// fill the log, and each request fails by it.
    static let faultReports: Int64 = 60
    /// Deleted databases that are kept, each in its full size: mistakes are noticed within days.
    static let deletedDatabases = 10
    /// Seconds between two rounds of housekeeping if no document expires earlier.
    static let maintenanceInterval: Int64 = 30
    /// Bytes by which the process has to have grown for freed memory to be given back to the system.
    static let memoryWorthGivingBack = 64 << 20
    /// Bytes that malloc may keep free at the end of each arena, of which there are up to eight for each processor.
    static let freeBytesOfArena = 4 << 20
    /// Bytes from which on one block of memory goes back to the system as soon as it is free.
    static let bytesMappedApart = 1 << 20
    /// Logins of existing names whose password waits to be checked, at 50 ms each; beyond it the address with the most
    /// loses one, with 429.
    package static let waitingLogins = 200
    /// Passwords of one name from one address that wait to be checked; beyond it the answer is 429. Requests with the
    /// same password share one check, and after so many wrong ones the next has to wait anyway.
    static let waitingLoginsOfName = 5
    /// Wrong logins, also of names that do not exist, that wait for their answer; beyond this number the answer is 429.
    static let waitingRefusals = 100
    /// Those from one address.
    static let waitingRefusalsOfAddress = 20
    /// How often the password of one sign-in is compared while the user's is set again and again.
    static let passwordComparisons = 3
    /// New passwords that wait to be hashed; beyond it 429.
    static let newPasswords = 200
    /// Users whose last sign-in a database remembers.
    static let signIns = 10_000
    /// Programs and laptops of one user whose last sign-in is remembered: a client may send any name.
    static let programsOfUser = 8
    /// Documents for which a sync function may fail before a resync stops: after so many, the function itself must be
    /// wrong.
    static let resyncErrors = 10
    /// Refusals that a database remembers: enough to find the cause, and at most 2 MB of memory.
    static let refusals = 1_000
    /// Refusals of a user that are written into the logs within a minute; the others are in the list alone.
    package static let refusalsLogged = 100
    /// Bytes of a user's mail address: the limit of mail itself (RFC 5321, 4.5.3.1.3).
    static let mailAddress = 254
    /// Bytes of a refusal's reason that are kept: a function may throw a long text.
    static let refusalReason = 1_000
    /// Bytes of a document's id in lists and logs of refused or unreadable documents: a stored one has at most 250.
    static let reportedID = 256
    /// Documents that no sync client can read, and that a database remembers as logged; further ones are not logged.
    static let passedOverDocuments = 1_000
}
