import BLIPProtocol
import NIOCore
import SyncProtocol

/// The store of an active peer: a model, or a database.
package protocol ActivePeerStore {
    /// `nil` for an action without a result, or with none yet.
    mutating func perform(_ action: ActiveAction) throws -> (JobID, ActiveResult)?

    func answer(_ digest: String, for number: UInt32, compresses: Bool) -> BLIPOutgoing
    func proof(_ digest: String, nonce: [UInt8], for number: UInt32) -> BLIPOutgoing

    /// After a failure, the content need not be requested.
    mutating func beginFetch(
        _ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID
    ) throws -> SyncFailure?
    /// The fetch that is finished by these bytes, if any.
    mutating func received(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) throws -> FinishedFetch?
    /// `nil` for a request that does not belong to a fetch.
    mutating func fetchFailed(_ failure: SyncFailure, tag: UInt64) -> FinishedFetch?

    func failure(_ error: any Error) -> SyncFailure

    /// Whether the process has ended in the middle of its work.
    var hasCrashed: Bool { get }
}

/// A fetch that is over.
package struct FinishedFetch {
    package var job: JobID
    package var failure: SyncFailure?

    package init(job: JobID, failure: SyncFailure?) {
        self.job = job
        self.failure = failure
    }
}

/// The client's side of one connection in memory: the session, whose actions a store carries out at once. Its messages
/// are collected in `sent`, and conflicts wait until they are resolved.
package struct ActivePeer<Store: ActivePeerStore> {
    package private(set) var session: ActiveSession
    package var store: Store
    /// Milliseconds since 1970, as the test says.
    package var now: Instant
    private var sent: [BLIPOutgoing] = []
    package private(set) var events: [DocumentEvent] = []
    /// Optional collections that the other side does not have.
    package private(set) var leftOut: [Int] = []
    package private(set) var statuses: [ActiveStatus] = []
    package private(set) var closing: (code: UInt16, reason: String, failure: SyncFailure?)?
    package private(set) var wakeUp: Instant?
    /// Whether the store resolves conflicts as soon as the session asks for it; otherwise they wait.
    package var resolvesAtOnce = false
    private var resolutions: [Resolution] = []

    /// A job that waits for `complete`.
    package struct Resolution {
        package let job: JobID
        package let collection: Int
        package let documentIDs: [String]?
    }

    package init(_ configuration: ActiveConfiguration, store: Store, now: Instant) {
        session = ActiveSession(configuration)
        self.store = store
        self.now = now
    }

    package mutating func connect(_ version: SyncSubprotocol = .version3) { run(session.connected(version, at: now)) }

    package mutating func committed(in collections: [Int]) {
        run(session.localChangesCommitted(in: collections, at: now))
    }

    package mutating func stop() { run(session.stop(at: now)) }

    package mutating func lose() { run(session.connectionLost(at: now)) }

    package mutating func complete(_ job: JobID, with result: ActiveResult) {
        run(session.complete(job, with: result, at: now))
    }

    package mutating func fail(_ error: any Error) { run(session.fail(store.failure(error), at: now)) }

    /// Time passes until the session is to be woken.
    package mutating func wake() {
        guard let time = wakeUp else { return }
        wakeUp = nil
        now = max(now, time)
        run(session.timerFired(at: now))
    }

    package mutating func receive(_ incoming: [BLIPIncoming]) {
        var messages: [BLIPIncoming] = []
        for event in incoming {
            switch event {
            case .responsePart(let tag, let bytes, let isLast):
                do { finish(try store.received(bytes, tag: tag, isLast: isLast)) } catch { fail(error) }
            case .failure(let tag, let error):
                guard let fetch = store.fetchFailed(SyncFailure(error), tag: tag) else {
                    messages.append(event)
                    continue
                }
                finish(fetch)
            case .request, .response, .sent: messages.append(event)
            }
        }
        run(session.receive(messages, at: now))
    }

    private mutating func finish(_ fetch: FinishedFetch?) {
        guard let fetch else { return }
        complete(fetch.job, with: .fetched(fetch.failure))
    }

    package mutating func takeSent() -> [BLIPOutgoing] {
        defer { sent = [] }
        return sent
    }

    /// A conflict that waits to be resolved.
    package mutating func takeResolution() -> Resolution? { resolutions.isEmpty ? nil : resolutions.removeFirst() }

    package var hasResolutions: Bool { !resolutions.isEmpty }

    /// The status that all is done must come after all events.
    private static func checked(_ step: [ActiveAction]) -> [ActiveAction] {
        let status = step.firstIndex { if case .status = $0 { true } else { false } } ?? step.endIndex
        let isReportedLater = step[status...].contains { if case .report = $0 { true } else { false } }
        precondition(!isReportedLater, "a status comes before the documents of its own step")
        return step
    }

    private mutating func run(_ first: [ActiveAction]) {
        var queue = Self.checked(first)
        var next = 0
        while next < queue.count, !store.hasCrashed {
            // The other side may keep a session busy as long as it talks, but not for ever with one message.
            precondition(next < 1_000_000, "one event leads to work without end")
            do {
                if let (job, result) = try perform(queue[next]) {
                    queue += Self.checked(session.complete(job, with: result, at: now))
                }
            } catch {
                queue += session.fail(store.failure(error), at: now)
            }
            next += 1
        }
    }

    private mutating func perform(_ action: ActiveAction) throws -> (JobID, ActiveResult)? {
        switch action {
        case .send(let batch): sent += batch
        case .report(let batch): events += batch
        case .leaveOut(let indexes): leftOut += indexes
        case .status(let status): statuses.append(status)
        case .close(let code, let reason, let failure): closing = (code, reason, failure)
        case .wakeUp(let time): wakeUp = time
        case .serveAttachment(let number, let digest, let compresses):
            sent.append(store.answer(digest, for: number, compresses: compresses))
        case .proveAttachment(let number, let digest, let nonce):
            sent.append(store.proof(digest, nonce: nonce, for: number))
        case .fetchAttachment(let job, _, let request, let longest, let tag):
            if let failure = try store.beginFetch(request, longest: longest, tag: tag, job: job) {
                return (job, .fetched(failure))
            }
            sent.append(.request(request.request, tag: tag))
        case .resolveConflicts(let job, let collection, let ids) where !resolvesAtOnce:
            resolutions.append(Resolution(job: job, collection: collection, documentIDs: ids))
        case .readChanges, .readRefused, .loadRevisions, .markKnown, .noteRefusal, .checkAnnounced, .loadSources,
            .examine, .storeRevisions, .purge, .resolveConflicts, .saveLocalCheckpoint:
            return try store.perform(action)
        }
        return nil
    }
}
