import BLIPProtocol

/// An action of a session. All of them have one that sends messages.
protocol SessionAction: Sendable {
    static func send(_ messages: [BLIPOutgoing]) -> Self
}

/// A job of a session. The part of the session that it belongs to is not idle before it has ended.
protocol SessionJob: Sendable {
    /// `nil` for a session that does not end by itself: its work is not counted.
    var owner: WorkOwner? { get }

    static func owner(of request: RequestTag) -> WorkOwner?
}

/// Collects the output of the parts of a session: actions for the driver, and messages to the other side. Active and
/// passive sessions both have one.
///
/// An action that leads to a result is a *job*: its purpose is kept here under its id until the result has come.
/// Results may come in any order.
struct SessionOutput<Action: SessionAction, Job: SessionJob>: Sendable {
    private(set) var jobs: [JobID: Job] = [:]
    /// The jobs and requests that are not ended.
    private(set) var work = OutstandingWork()
    /// The tags of the counted requests: each ends with its first answer, whatever else comes under its tag.
    private var awaited: Set<UInt64> = []
    private var actions: [Action] = []
    private var messages: [BLIPOutgoing] = []
    private var closing: Action?
    /// The session has closed the connection: it does nothing more.
    private(set) var isClosed = false
    /// The last number of a job or tag; numbers ascend.
    private var lastNumber: UInt64 = 0

    // MARK: - Actions

    /// Adds an action that leads to no result.
    mutating func append(_ action: Action) { actions.append(action) }

    /// - Parameter action: the action that does the job.
    @discardableResult
    mutating func begin(_ job: Job, by action: (JobID) -> Action) -> JobID {
        let id = JobID(nextNumber())
        jobs[id] = job
        if let owner = job.owner { work.beganJob(of: owner) }
        actions.append(action(id))
        return id
    }

    /// - Parameter action: the last action of the session. Only the first call counts.
    mutating func close(by action: Action) {
        guard !isClosed else { return }
        isClosed = true
        closing = action
    }

    /// - Returns: the job whose result has come; `nil` if none was awaited.
    mutating func end(_ id: JobID) -> Job? {
        let job = jobs.removeValue(forKey: id)
        if let owner = job?.owner { work.endedJob(of: owner) }
        return job
    }

    // MARK: - Messages

    /// A tag for a request that the driver sends by itself.
    mutating func tag(_ kind: RequestKind, collection: Int) -> UInt64 {
        RequestTag(kind, collection: collection, number: nextNumber()).value
    }

    /// - Returns: the tag under which the answer comes.
    @discardableResult
    mutating func send(_ request: BLIPRequest, as kind: RequestKind, collection: Int) -> UInt64 {
        let tag = tag(kind, collection: collection)
        messages.append(.request(request, tag: tag))
        if !request.isNoReply, let owner = Job.owner(of: RequestTag(tag)) {
            awaited.insert(tag)
            work.sentRequest(of: owner)
        }
        return tag
    }

    /// The answer to a request has come, whatever it is.
    mutating func answered(_ tag: UInt64) {
        guard awaited.remove(tag) != nil, let owner = Job.owner(of: RequestTag(tag)) else { return }
        work.answeredRequest(of: owner)
    }

    /// - Parameter number: of the request; `nil` if it wants no answer.
    mutating func respond(
        to number: UInt32?, _ properties: BLIPProperties = [:], body: [UInt8] = [], isCompressed: Bool = false
    ) {
        guard let number else { return }
        messages.append(.response(to: number, properties: properties, body: .bytes(body), isCompressed: isCompressed))
    }

    /// - Parameter number: of the request; `nil` if it wants no answer.
    mutating func refuse(_ number: UInt32?, with error: BLIPErrorReply) {
        guard let number else { return }
        messages.append(.failure(to: number, error))
    }

    // MARK: - The end of a step

    /// Takes everything that was collected, as the actions of a step. Messages come behind the others, in one batch: then the
    /// store has got its actions before the messages that depend on them are sent. Nothing comes after the last action.
    mutating func take() -> [Action] {
        defer {
            actions = []
            messages = []
            closing = nil
        }
        let sending = messages.isEmpty ? [] : [Action.send(messages)]
        return actions + sending + [closing].compactMap { $0 }
    }

    private mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
