import DocumentValues

/// A revision that came from the gateway, until it is stored or given up.
struct Arrival: Sendable {
    /// The progress of the revision: each step moves it from one of these stages to another, or ends it.
    enum Stage: Sendable {
        /// It came as a difference whose source waits to be read.
        case difference(Difference)
        /// The source of the difference is being read.
        case patching(Difference)
        /// It has blobs, or there is a pull filter to ask.
        case unexamined
        /// The store checks which blobs are missing and asks the pull filter.
        case examining
        /// Attachments of it are being fetched.
        case fetching
        /// May be stored.
        case ready
        /// A deletion that waits for the answer to a push of the same document.
        case deferred
        case storing
    }

    struct Difference: Sendable {
        var source: RevisionID
        var delta: [UInt8]
    }

    var sequence: String
    /// The index in the feed at which the sequence was announced; see ``RemoteSequences``.
    var feedIndex: Int
    /// The request to answer when the revision is stored.
    var replyTo: UInt32?
    /// Whether it was requested, and so counts in the progress.
    let isRequested: Bool
    var revision: PulledRevision
    fileprivate(set) var stage = Stage.unexamined
    fileprivate var wasExaminedAgain = false

    init(
        sequence: String, feedIndex: Int, replyTo: UInt32?, isRequested: Bool = true, revision: PulledRevision
    ) {
        self.sequence = sequence
        self.feedIndex = feedIndex
        self.replyTo = replyTo
        self.isRequested = isRequested
        self.revision = revision
    }

    var documentID: String { revision.documentID }

    var announced: AnnouncedRevision {
        AnnouncedRevision(documentID: documentID, revision: revision.revision, isDeleted: revision.isDeleted)
    }
}

/// The revisions that have come and are not stored yet, each in its stage.
struct ArrivalTable: Sendable {
    /// Identifies a revision of the table until it is removed.
    typealias Handle = Int

    /// The stages in which a revision waits for its turn.
    enum Queue: Int, CaseIterable, Sendable {
        case differences
        case unexamined
        case ready
    }

    private var arrivals = SlotTable<Arrival, Queue>()
    /// Revisions that the store is storing.
    private var storingCount = 0
    /// Revisions that were requested.
    private(set) var requestedCount = 0

    var count: Int { arrivals.count }
    var isEmpty: Bool { count == 0 }
    var isStoring: Bool { storingCount > 0 }

    subscript(handle: Handle) -> Arrival { arrivals[handle] }

    @discardableResult
    mutating func add(_ arrival: Arrival, at stage: Arrival.Stage) -> Handle {
        let handle = arrivals.add(arrival)
        if arrival.isRequested { requestedCount += 1 }
        enter(stage, handle: handle)
        return handle
    }

    /// The revision is stored, or given up.
    @discardableResult
    mutating func remove(_ handle: Handle) -> Arrival {
        leaveStage(of: handle)
        if arrivals[handle].isRequested { requestedCount -= 1 }
        return arrivals.remove(handle)
    }

    /// A waiting revision must have been taken out of its queue before.
    mutating func move(_ handle: Handle, to stage: Arrival.Stage) {
        leaveStage(of: handle)
        enter(stage, handle: handle)
    }

    private mutating func enter(_ stage: Arrival.Stage, handle: Handle) {
        arrivals[handle].stage = stage
        if case .storing = stage { storingCount += 1 }
        if let queue = stage.queue { arrivals.enqueue(handle, in: queue) }
    }

    private mutating func leaveStage(of handle: Handle) {
        precondition(!arrivals.isWaiting(handle), "a waiting revision has its turn before its next stage")
        if case .storing = arrivals[handle].stage { storingCount -= 1 }
    }

    /// For a revision that lost a blob while it waited to be stored, because the only other document that referred to the
    /// blob was purged. The blob is fetched like any missing one.
    ///
    /// - Returns: false if that was done before.
    mutating func examineAgain(_ handle: Handle) -> Bool {
        guard !arrivals[handle].wasExaminedAgain else { return false }
        arrivals[handle].wasExaminedAgain = true
        move(handle, to: .unexamined)
        return true
    }

    // MARK: - Waiting revisions

    func isEmpty(_ queue: Queue) -> Bool { arrivals.count(in: queue) == 0 }

    /// - Parameter limit: how many at most; the rest keeps its order.
    mutating func pop(_ queue: Queue, limit: Int = .max) -> [Handle] { arrivals.pop(queue, limit: limit) }

    /// Takes the revisions for which `isTaken` is true out of the queue; the others keep their order.
    mutating func pop(_ queue: Queue, where isTaken: (Arrival) -> Bool) -> [Handle] {
        arrivals.pop(queue, where: isTaken)
    }
}

extension Arrival.Stage {
    /// The queue in which the revision waits; `nil` while something is done for it.
    fileprivate var queue: ArrivalTable.Queue? {
        switch self {
        case .difference: .differences
        case .unexamined: .unexamined
        case .ready: .ready
        case .patching, .examining, .fetching, .deferred, .storing: nil
        }
    }
}
