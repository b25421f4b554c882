import DocumentValues

/// How far the local changes of a collection were read, and which of them need no more work.
struct LocalSequences: Sendable {
    enum Reading: Sendable {
        /// There was nothing more when it was read last.
        case caughtUp
        /// There may be something to read.
        case due
        case underWay(isDueAgain: Bool)
    }

    /// What is to be read next.
    struct Request: Sendable {
        var after: UInt64
        /// Also what the gateway was believed to have.
        var includesKnown: Bool
    }

    /// Local sequences that need no more work.
    private(set) var completed: SequenceRanges
    /// Those of them that were done when the session began; the first gap may have later ranges behind it.
    private let earlier: SequenceRanges
    private var cursor: UInt64
    /// What the gateway was believed to have may be gone: up to here that is proposed, too.
    private(set) var doubtful: UInt64
    private var reading = Reading.due
    /// The last sequence that was there when all had been read for the first time; `nil` before.
    private var first: UInt64?

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

    /// There may be changes that were not read.
    mutating func changesCommitted() {
        switch reading {
        case .caughtUp, .due: reading = .due
        case .underWay: reading = .underWay(isDueAgain: true)
        }
    }

    /// - Returns: what to read; `nil` where there is nothing, or a read is under way.
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
        if isCaughtUp, first == nil { first = cursor }
        var fresh = changes.filter { !earlier.contains($0.sequence) }
        // The gateway's 304 and 409 say what it has; what it had does not matter any more.
        for index in fresh.indices where fresh[index].sequence <= doubtful { fresh[index].remoteRevision = nil }
        return fresh
    }

    /// All that was there has been read, and is under way: what comes from now on is not in doubt.
    mutating func endDoubt() { doubtful = min(doubtful, cursor) }

    /// Whether the change was made after the session had read all that was there.
    func isNew(_ sequence: UInt64) -> Bool { first.map { $0 < sequence } ?? false }

    mutating func complete(_ sequence: UInt64) { completed.insert(sequence) }

    /// The sequence has work to do (again).
    mutating func reopen(_ sequence: UInt64) { completed.remove(sequence) }
}
