import DocumentValues

/// The documents of a push, each once, in its stage; and for each kind of waiting, the queue of the waiting ones.
///
/// All counts follow from the stages: they change only together with a stage, in ``move(_:to:)`` and similar methods.
struct PushTable: Sendable {
    /// Identifies a document of the table until it is removed.
    typealias Handle = Int

    /// The stages in which a document waits for its turn.
    enum Queue: Int, CaseIterable, Sendable {
        case proposable
        case conflictingProposal
        case approved
        case refused
    }

    private var documents = SlotTable<PushedDocument, Queue>()
    private var handles: [Name: Handle] = [:]
    /// Bytes of revisions that are sent and not acknowledged.
    private(set) var bytesInFlight = 0
    /// Documents whose first revision is just being sent to the gateway.
    private(set) var firstRevisionsUnderWay = 0

    /// Documents that are read, to be sent or to be compared.
    private(set) var readCount = 0
    /// Documents whose revision is sent and not answered.
    private(set) var sentCount = 0
    /// Documents that the gateway could not take for now.
    private(set) var postponed: Set<Handle> = []
    /// The documents that the gateway has not got according to its answers; those that rest count as done.
    private(set) var counted = DocumentCount()
    /// Documents in conflict that are not reported.
    private(set) var conflicts: Set<Handle> = []
    private var reportedCount = 0
    /// When the first report of a conflict is due; `nil` if there is none.
    var reportTime: Instant?

    /// Documents that are neither acknowledged nor given up, including resting ones.
    var openCount: Int { handles.count - reportedCount }
    /// Documents that are being worked on.
    var underWayCount: Int { openCount - postponed.count - conflicts.count }

    subscript(handle: Handle) -> PushedDocument { documents[handle] }

    func handle(of documentID: String) -> Handle? { handles[Name(documentID)] }

    /// Whether the gateway has yet to answer the first revision that it gets of the document.
    func isFirstRevisionUnderWay(of documentID: String) -> Bool {
        firstRevisionsUnderWay > 0 && handle(of: documentID).map { self[$0].isFirstRevisionUnderWay } ?? false
    }

    // MARK: - Documents

    /// Adds a document that is not in the table.
    @discardableResult
    mutating func add(_ candidate: PushCandidate, at stage: PushedDocument.Stage = .proposable) -> Handle {
        let handle = documents.add(PushedDocument(candidate))
        let replaced = handles.updateValue(handle, forKey: Name(candidate.documentID))
        precondition(replaced == nil, "a document is here once")
        enter(stage, handle: handle)
        return handle
    }

    /// The document needs no more work.
    @discardableResult
    mutating func remove(_ handle: Handle) -> PushedDocument {
        leaveStage(of: handle)
        endCounting(of: handle)
        let document = documents.remove(handle)
        handles[Name(document.candidate.documentID)] = nil
        return document
    }

    mutating func move(_ handle: Handle, to stage: PushedDocument.Stage) {
        leaveStage(of: handle)
        enter(stage, handle: handle)
    }

    /// A newer revision of the document takes the candidate's turn, and is proposed.
    mutating func replace(_ handle: Handle, by candidate: PushCandidate) {
        leaveStage(of: handle)
        var document = PushedDocument(candidate)
        document.isSecondAttempt = self[handle].isSecondAttempt && self[handle].candidate.revision == candidate.revision
        document.reported = self[handle].reported
        document.isCounted = self[handle].isCounted
        documents[handle] = document
        enter(.proposable, handle: handle)
    }

    /// The gateway has not got the revision, which counts from now on.
    mutating func beginCounting(of handle: Handle) {
        guard !self[handle].isCounted else { return }
        documents[handle].isCounted = true
        counted.begin()
    }

    private mutating func endCounting(of handle: Handle) {
        guard self[handle].isCounted else { return }
        documents[handle].isCounted = false
        counted.end()
    }

    /// The document rests until the pull, the clock or a local change resumes it.
    mutating func rest(_ handle: Handle, at stage: PushedDocument.Stage) {
        documents[handle].isSecondAttempt = false
        endCounting(of: handle)
        move(handle, to: stage)
    }

    /// The gateway cannot take the document for now.
    mutating func postpone(_ handle: Handle) {
        documents[handle].candidate.wasPostponed = true
        rest(handle, at: .postponed)
    }

    /// A resting document is proposed, in the candidate's revision.
    mutating func resume(_ handle: Handle, with candidate: PushCandidate) {
        leaveStage(of: handle)
        var document = PushedDocument(candidate)
        if case .reported = self[handle].stage { document.reported = self[handle].candidate }
        documents[handle] = document
        enter(.proposable, handle: handle)
    }

    /// From now on, another conflict of the document is reported.
    mutating func forgetReport(of handle: Handle) { documents[handle].reported = nil }

    /// - Returns: the newer change that waited until now.
    mutating func setNewer(_ candidate: PushCandidate, of handle: Handle) -> PushCandidate? {
        defer { documents[handle].newer = candidate }
        return self[handle].newer
    }

    /// The quiet retry now belongs to a change: another refusal makes an event, and completes the change's sequence.
    mutating func endSilence(of handle: Handle, sequence: UInt64) {
        documents[handle].candidate.isQuietRetry = false
        documents[handle].candidate.change.sequence = sequence
    }

    /// The gateway cannot apply the difference: the whole revision is sent, before all others.
    mutating func sendWhole(_ handle: Handle) {
        leaveStage(of: handle)
        documents[handle].candidate.isSentWhole = true
        // It has had its turn before.
        enter(.approved, handle: handle, isFirst: true)
    }

    mutating func retry(_ handle: Handle) {
        documents[handle].isSecondAttempt = true
        move(handle, to: .proposable)
    }

    // MARK: - Waiting documents

    func count(in queue: Queue) -> Int { documents.count(in: queue) }

    /// The size of the body of the first waiting document; `nil` if none waits.
    func firstBodySize(in queue: Queue) -> Int? {
        documents.first(in: queue).map { self[$0].candidate.bodySize }
    }

    /// Takes the first waiting document out; the caller moves it to another stage.
    mutating func popFirst(_ queue: Queue) -> Handle? { documents.popFirst(queue) }

    /// - Parameter limit: how many at most; the rest keeps its order.
    mutating func pop(_ queue: Queue, limit: Int = .max) -> [Handle] { documents.pop(queue, limit: limit) }

    // MARK: - Stages

    private mutating func enter(_ stage: PushedDocument.Stage, handle: Handle, isFirst: Bool = false) {
        documents[handle].stage = stage
        count(handle, by: 1)
        if case .inConflict(let conflict) = stage { reportTime = min(reportTime ?? .max, conflict.reportTime) }
        if let queue = self[handle].queue { documents.enqueue(handle, in: queue, isFirst: isFirst) }
    }

    /// A waiting document must have been taken out of its queue before.
    private mutating func leaveStage(of handle: Handle) {
        precondition(!documents.isWaiting(handle), "a waiting document has its turn before its next stage")
        count(handle, by: -1)
    }

    private mutating func count(_ handle: Handle, by change: Int) {
        let document = self[handle]
        bytesInFlight += change * document.bytesInFlight
        if document.isFirstRevisionUnderWay { firstRevisionsUnderWay += change }
        switch document.stage {
        case .proposable, .proposed, .conflictingProposal, .approved, .refused: break
        case .comparing, .loading: readCount += change
        case .inFlight: sentCount += change
        case .postponed: if change > 0 { postponed.insert(handle) } else { postponed.remove(handle) }
        case .inConflict: if change > 0 { conflicts.insert(handle) } else { conflicts.remove(handle) }
        case .reported: reportedCount += change
        }
    }
}
