import DocumentValues
import NIOCore

/// The documents of a push, each once, in its stage; and in which order those that wait have come to do so.
///
/// Everything that is counted here follows from the stages: it changes where a stage changes, in ``move(_:to:)`` and
/// its like, and nowhere else.
struct PushTable: Sendable {
    /// Names a document of the table until it is removed.
    typealias Handle = Int

    /// The stages in which a document waits for its turn.
    enum Queue: Int, CaseIterable, Sendable {
        case proposable
        case disputed
        case approved
        case refused
    }

    private var documents: [PushedDocument?] = []
    private var unused: [Handle] = []
    private var handles: [Name: Handle] = [:]
    private var queues = Array(repeating: CircularBuffer<Handle>(), count: Queue.allCases.count)
    /// Of revisions that are sent and not acknowledged.
    private(set) var bytesInFlight = 0
    /// Documents of which the gateway gets its first revision just now.
    private(set) var firstRevisionsUnderWay = 0

    var count: Int { handles.count }
    var isEmpty: Bool { handles.isEmpty }

    subscript(handle: Handle) -> PushedDocument {
        guard let document = documents[handle] else { preconditionFailure("handles end with their documents") }
        return document
    }

    func handle(of documentID: String) -> Handle? { handles[Name(documentID)] }

    func contains(_ documentID: String) -> Bool { handles[Name(documentID)] != nil }

    /// Whether the gateway has yet to answer the first revision that it gets of the document.
    func isFirstRevisionUnderWay(of documentID: String) -> Bool {
        firstRevisionsUnderWay > 0 && handle(of: documentID).map { self[$0].isFirstRevisionUnderWay } ?? false
    }

    // MARK: - Documents

    /// A document of which nothing is under way.
    @discardableResult
    mutating func add(_ candidate: PushCandidate, at stage: PushedDocument.Stage = .proposable) -> Handle {
        let handle = unused.popLast() ?? documents.count
        if handle == documents.count { documents.append(nil) }
        let replaced = handles.updateValue(handle, forKey: Name(candidate.documentID))
        precondition(replaced == nil, "a document is under way once")
        documents[handle] = PushedDocument(candidate)
        enter(stage, handle: handle)
        return handle
    }

    /// The document needs no more work.
    mutating func remove(_ handle: Handle) -> PushedDocument {
        leaveStage(of: handle)
        let document = self[handle]
        documents[handle] = nil
        handles[Name(document.candidate.documentID)] = nil
        unused.append(handle)
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
        documents[handle] = document
        enter(.proposable, handle: handle)
    }

    /// - Returns: the newer change that waited until now.
    mutating func setNewer(_ candidate: PushCandidate, of handle: Handle) -> PushCandidate? {
        defer { documents[handle]?.newer = candidate }
        return self[handle].newer
    }

    /// A retry is that of a change: another refusal makes an event, and the change's sequence is done with it.
    mutating func endSilence(of handle: Handle, sequence: UInt64) {
        documents[handle]?.candidate.isQuietRetry = false
        documents[handle]?.candidate.change.sequence = sequence
    }

    /// The gateway can do nothing with a difference: the whole revision is sent, before all others.
    mutating func sendWhole(_ handle: Handle) {
        leaveStage(of: handle)
        documents[handle]?.candidate.isSentWhole = true
        documents[handle]?.stage = .approved
        // Its turn has been before.
        queues[Queue.approved.rawValue].prepend(handle)
    }

    mutating func retry(_ handle: Handle) {
        documents[handle]?.isSecondAttempt = true
        move(handle, to: .proposable)
    }

    // MARK: - Those that wait

    func count(in queue: Queue) -> Int { queues[queue.rawValue].count }

    /// The size of the body of the first that waits; `nil` where nothing waits.
    func firstBodySize(in queue: Queue) -> Int? { queues[queue.rawValue].first.map { self[$0].candidate.bodySize } }

    /// The first of those that wait has its turn, and is to be moved on.
    mutating func popFirst(_ queue: Queue) -> Handle? { queues[queue.rawValue].popFirst() }

    /// - Parameter limit: how many at most; the rest keeps its order.
    mutating func pop(_ queue: Queue, limit: Int = .max) -> [Handle] {
        var taken: [Handle] = []
        while taken.count < limit, let handle = popFirst(queue) { taken.append(handle) }
        return taken
    }

    // MARK: - Stages

    private mutating func enter(_ stage: PushedDocument.Stage, handle: Handle) {
        documents[handle]?.stage = stage
        bytesInFlight += documents[handle]?.bytesInFlight ?? 0
        if documents[handle]?.isFirstRevisionUnderWay == true { firstRevisionsUnderWay += 1 }
        if let queue = documents[handle]?.queue { queues[queue.rawValue].append(handle) }
    }

    /// A document that waits was taken out of its queue before.
    private mutating func leaveStage(of handle: Handle) {
        bytesInFlight -= documents[handle]?.bytesInFlight ?? 0
        if documents[handle]?.isFirstRevisionUnderWay == true { firstRevisionsUnderWay -= 1 }
    }
}
