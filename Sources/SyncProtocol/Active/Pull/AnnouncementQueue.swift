import DocumentValues
import NIOCore

/// A message `changes` that waits for its answer.
struct Announcement: Sendable {
    var number: UInt32
    var rows: [ChangeRow]
    /// For each row, the revision to look up; `nil` for a row that is settled already.
    var lookups: [AnnouncedRevision?]
}

/// The gateway's announcements: messages that wait to be looked up, messages that the store looks up, and the revisions
/// that the answers request.
struct AnnouncementQueue: Sendable {
    /// A requested revision that has not come.
    struct Wanted: Sendable {
        var documentID: String
        /// The index in the feed at which it was announced; see ``RemoteSequences``.
        var feedIndex: Int
    }

    private var waiting = CircularBuffer<Announcement>()
    private var waitingRows = 0
    private var lookedUp: [JobID: Announcement] = [:]
    private var rowsLookedUp = 0
    /// By sequence.
    private var requests: [Name: Wanted] = [:]
    private var sizes = RevisionSizes()

    var isEmpty: Bool { waiting.isEmpty && lookedUp.isEmpty && requests.isEmpty }

    /// Requested revisions that have not come.
    var requestCount: Int { requests.count }

    /// Requested revisions, and rows that may become requests.
    private var outstandingRows: Int { requestCount + rowsLookedUp }

    func hasRoom(forRows count: Int) -> Bool { waitingRows + count <= ActiveLimits.announcedRows }

    mutating func append(_ announcement: Announcement) {
        waiting.append(announcement)
        waitingRows += announcement.rows.count
    }

    /// - Returns: the next message to be looked up; `nil` if the limit of outstanding revisions is reached.
    mutating func popFirst(within window: TransferWindow = .open) -> Announcement? {
        guard outstandingRows < sizes.requests, window.allows(besides: outstandingRows),
            let announcement = waiting.popFirst()
        else { return nil }
        waitingRows -= announcement.rows.count
        return announcement
    }

    mutating func lookUpBegan(_ announcement: Announcement, as job: JobID) {
        lookedUp[job] = announcement
        rowsLookedUp += announcement.rows.count
    }

    /// - Returns: the message that has been looked up.
    mutating func lookUpEnded(_ job: JobID) -> Announcement? {
        let announcement = lookedUp.removeValue(forKey: job)
        rowsLookedUp -= announcement?.rows.count ?? 0
        return announcement
    }

    /// - Returns: whether it was not requested before: a gateway may announce a sequence twice.
    @discardableResult
    mutating func requested(_ request: Wanted, sequence: String) -> Bool {
        requests.updateValue(request, forKey: Name(sequence)) == nil
    }

    /// A revision has come with so many bytes; the limit of outstanding revisions depends on the sizes.
    mutating func note(bytes: Int) { sizes.note(bytes) }

    /// - Returns: the request under the sequence, whose revision has come or will not come.
    mutating func answered(sequence: String) -> Wanted? { requests.removeValue(forKey: Name(sequence)) }
}
