import DocumentValues
import NIOCore

/// A message `changes` that waits for its answer.
struct Announcement: Sendable {
    var number: UInt32
    var rows: [ChangeRow]
    /// For each row, what to look up; `nil` for a row that is settled already.
    var lookups: [AnnouncedRevision?]
}

/// What the gateway has announced: messages that wait to be looked up, those that the store looks up, and the revisions
/// that were asked for in the answers.
struct AnnouncementQueue: Sendable {
    /// A revision that was asked for and has not come.
    struct Wanted: Sendable {
        var documentID: String
        /// Where in the feed it was announced; see ``RemoteSequences``.
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

    /// Revisions that were asked for, and rows that may become such.
    private var outstandingRows: Int { requests.count + rowsLookedUp }

    func hasRoom(forRows count: Int) -> Bool { waitingRows + count <= ActiveLimits.announcedRows }

    mutating func append(_ announcement: Announcement) {
        waiting.append(announcement)
        waitingRows += announcement.rows.count
    }

    /// - Returns: the next message to be looked up; `nil` where as many revisions are outstanding as may be.
    mutating func popFirst() -> Announcement? {
        guard outstandingRows < sizes.requests, let announcement = waiting.popFirst() else { return nil }
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

    mutating func requested(_ request: Wanted, sequence: String) { requests[Name(sequence)] = request }

    /// A revision has come with so many bytes: how many may be outstanding depends on that.
    mutating func note(bytes: Int) { sizes.note(bytes) }

    /// - Returns: what was asked for under the sequence; it has come, or will not.
    mutating func answered(sequence: String) -> Wanted? { requests.removeValue(forKey: Name(sequence)) }
}
