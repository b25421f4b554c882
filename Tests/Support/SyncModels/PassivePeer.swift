import BLIPProtocol
import SyncProtocol

/// The gateway's side of one connection in memory. Actions for the connection are carried out at once. Jobs for the
/// database wait in `work` until the test has them done by a `PassiveStore`.
package struct PassivePeer: Sendable {
    package private(set) var session: PassiveSession
    private var sent: [BLIPOutgoing] = []
    /// In the order of the requests, which has no meaning.
    package private(set) var work: [PassiveAction] = []
    /// Actions that end something: closed feeds and dropped attachments.
    private var ended: [PassiveAction] = []
    package private(set) var closing: (code: UInt16, reason: String)?
    package private(set) var isPaused = false

    package init(_ session: PassiveSession) { self.session = session }

    package mutating func receive(_ incoming: [BLIPIncoming]) { run(session.receive(incoming)) }

    package mutating func complete(_ job: JobID, with result: PassiveResult) {
        run(session.complete(job, with: result))
    }

    package mutating func send(_ message: BLIPOutgoing) { sent.append(message) }

    package mutating func takeSent() -> [BLIPOutgoing] {
        defer { sent = [] }
        return sent
    }

    // MARK: - Work

    /// Has one job done.
    ///
    /// - Parameter change: the result for the session instead of the store's.
    /// - Returns: false if the store has no answer yet; then the job goes on waiting.
    @discardableResult
    package mutating func doWork<Store: PassiveStore>(
        at index: Int, in store: inout Store, change: (PassiveResult) -> PassiveResult = { $0 }
    ) -> Bool {
        guard let answer = store.answer(to: work[index]) else { return false }
        work.remove(at: index)
        switch answer {
        case .result(let job, let result): complete(job, with: change(result))
        case .message(let message): send(message)
        }
        release(in: &store)
        return true
    }

    /// Has all jobs done that the store can answer, and all jobs that follow from them.
    package mutating func doAllWork<Store: PassiveStore>(in store: inout Store) {
        release(in: &store)
        while work.indices.contains(where: { doWork(at: $0, in: &store) }) {}
    }

    /// Ends closed feeds and dropped attachments in the store, too.
    package mutating func release<Store: PassiveReleases>(in store: inout Store) {
        for action in ended { store.end(action) }
        ended = []
    }

    /// For a slow store: the job is put back or completed later.
    package mutating func takeWork(at index: Int) -> PassiveAction { work.remove(at: index) }

    /// Puts back a job that cannot be answered yet.
    package mutating func putBack(_ action: PassiveAction) { work.append(action) }

    private mutating func run(_ actions: [PassiveAction]) {
        for action in actions {
            switch action {
            case .send(let batch): sent += batch
            case .pauseReading: isPaused = true
            case .resumeReading: isPaused = false
            case .close(let code, let reason): closing = (code, reason)
            case .closeFeed, .dropAttachments, .noteRefusal: ended.append(action)
            case .resolveCollections, .loadCheckpoint, .saveCheckpoint, .openFeed, .nextRows, .checkAnnounced,
                .checkProposed, .loadSources, .storeRevisions, .loadRevisions, .keepAttachment, .serveAttachment:
                work.append(action)
            }
        }
    }
}

extension PassiveAction {
    /// The id of its result; `nil` if it has none.
    package var job: JobID? {
        switch self {
        case .resolveCollections(let id, _, _), .loadCheckpoint(let id, _, _), .saveCheckpoint(let id, _, _, _, _),
            .openFeed(let id, _, _, _), .nextRows(let id, _, _), .checkAnnounced(let id, _, _),
            .checkProposed(let id, _, _), .loadSources(let id, _, _), .storeRevisions(let id, _, _),
            .loadRevisions(let id, _, _, _), .keepAttachment(let id, _, _):
            id
        case .send, .closeFeed, .serveAttachment, .dropAttachments, .noteRefusal, .pauseReading, .resumeReading, .close:
            nil
        }
    }
}
