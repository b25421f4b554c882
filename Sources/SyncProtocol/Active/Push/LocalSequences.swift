import DocumentValues

/// The position up to which the local changes of a collection were read, and the sequences that need no more work.
struct LocalSequences: Sendable {
    enum Reading: Sendable {
        /// The last read found nothing more.
        case caughtUp
        /// There may be changes to read.
        case due
        case underWay(isDueAgain: Bool)
    }

    /// The next read.
    struct Request: Sendable {
        var after: UInt64
        /// Also changes that the gateway was believed to have.
        var includesKnown: Bool
    }

    /// Local sequences that need no more work.
    private(set) var completed: SequenceRanges
    /// Those of them that were done when the session began; there may be ranges after the first gap.
    private let earlier: SequenceRanges
    private var cursor: UInt64
    /// The gateway may have lost revisions that it was believed to have: up to this sequence they are proposed, too.
    private(set) var doubtful: UInt64
    private var reading = Reading.due
    /// The last sequence at the moment when all changes had been read for the first time; `nil` before.
    private var firstEnd: UInt64?

    init(completed: SequenceRanges, doubtful: UInt64) {
        self.completed = completed
        earlier = completed
        cursor = completed.through
        self.doubtful = doubtful
    }

    var isCaughtUp: Bool {
        if case .caughtUp = reading { true } else { false }
    }

    var isReading: Bool {
        if case .underWay = reading { true } else { false }
    }

    /// There may be new changes to read.
    mutating func changesCommitted() {
        switch reading {
        case .caughtUp, .due: reading = .due
        case .underWay: reading = .underWay(isDueAgain: true)
        }
    }

    /// - Returns: the next read; `nil` if there is nothing to read, or a read is running.
    mutating func nextRequest() -> Request? {
        guard case .due = reading else { return nil }
        reading = .underWay(isDueAgain: false)
        return Request(after: cursor, includesKnown: cursor < doubtful)
    }

    /// - Returns: the changes that were not done before the session began.
    mutating func read(_ changes: [LocalChange], through: UInt64, isCaughtUp: Bool) -> [LocalChange] {
        if case .underWay(isDueAgain: false) = reading, isCaughtUp { reading = .caughtUp } else { reading = .due }
        if through > cursor { completed.insert(cursor + 1..<through + 1) }
        cursor = max(cursor, through)
        if isCaughtUp, firstEnd == nil { firstEnd = cursor }
        var fresh = changes.filter { !earlier.contains($0.sequence) }
        // The gateway's 304 and 409 show its present revision; its former one does not matter any more.
        for index in fresh.indices where fresh[index].sequence <= doubtful { fresh[index].remoteRevision = nil }
        return fresh
    }

    /// All present changes have been read and are being pushed: later ones are not in doubt.
    mutating func endDoubt() { doubtful = min(doubtful, cursor) }

    /// Whether the change was made after the session had read all changes for the first time.
    func isNew(_ sequence: UInt64) -> Bool { firstEnd.map { $0 < sequence } ?? false }

    mutating func complete(_ sequence: UInt64) { completed.insert(sequence) }

    /// The change cannot be read, so that nothing can be done for it now; another session looks at it again.
    ///
    /// - Returns: whether it was not done before the session began.
    mutating func leaveOpen(_ sequence: UInt64) -> Bool {
        guard !earlier.contains(sequence) else { return false }
        completed.remove(sequence)
        return true
    }

    /// The sequence needs work (again).
    mutating func reopen(_ sequence: UInt64) { completed.remove(sequence) }
}
