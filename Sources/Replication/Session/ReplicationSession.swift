import BLIPProtocol
import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation
import NIOCore
import NIOHTTP1
import SyncProtocol
import Synchronization

/// The reports of a session to the replicator above it.
enum SessionEvent: Sendable {
    /// The handshake succeeded.
    case connected(SessionConnection)
    /// The gateway has answered: the connection works.
    case working
    case status(ActiveStatus)
    case documents([DocumentEvent])
    /// The gateway does not have these optional collections.
    case missing([CollectionName])
    case conflict(ResolvedDocumentConflict)
    case attachment(TransferredAttachment)
    /// The last event.
    case ended(ReplicationError?)
}

/// Facts about an open connection.
struct SessionConnection: Sendable {
    var correlationID: String?
    var serverCertificate: [UInt8]?
    /// The header `Date` of the gateway's answer to the handshake, as it came.
    var date: String?
}

/// One connection: drives an `ActiveSession` over it, and performs its jobs at the store. Never restarted.
///
/// Everything happens on one serial queue, so that the store is called from one thread and the machine needs no lock.
// Unchecked: all stored variables are touched on `queue` only; ``phase`` checks it.
final class ReplicationSession: BLIPConnectionDelegate, SessionLinkEnd, @unchecked Sendable {
    private enum Phase {
        case notStarted
        case connecting(ConnectionAttempt)
        case open(OpenConnection)
        /// This side has closed the connection; `failure` is the reason, `nil` if there was no error.
        case closing(any SessionLink, failure: SyncFailure?)
        case ended
    }

    private struct OpenConnection {
        let link: any SessionLink
        /// A message has come from the other side.
        var isWorking = false
        /// The program has requested the end, and present work is being finished.
        var isStopping = false
    }

    let queue: DispatchQueue
    let store: ReplicationStore
    let configuration: SessionConfiguration
    private let report: @Sendable (SessionEvent) -> Void
    private let inbox = SessionInbox()
    private var machine: ActiveSession
    private var uncheckedPhase = Phase.notStarted
    private var changesToken: ListenerToken?
    private var outgoing: [BLIPOutgoing] = []
    private var wakeUpGeneration = 0
    private let conflicts: ConflictWorker
    /// The generation of the checkpoints with which it began.
    private let generation: UInt64
    private let log: SessionLog
    private let clock = SessionClock()
    /// Used on the queue only: by what arrives, by actions, and at the end.
    private var transfers: BlobTransfers

    /// - Parameter report: called on the session's queue.
    init(
        _ configuration: SessionConfiguration, store: ReplicationStore,
        report: @escaping @Sendable (SessionEvent) -> Void
    ) throws {
        self.configuration = configuration
        self.store = store
        self.report = report
        queue = DispatchQueue(label: "fieldbook.replication.session")
        generation = try store.checkpointGeneration()
        let active = try configuration.active(store)
        machine = ActiveSession(active)
        log = SessionLog(configuration.collections)
        log.started(active.collections.map(\.localCheckpoint))
        transfers = BlobTransfers(store.blobs, room: { [store] in store.freeSpace })
        conflicts = ConflictWorker(store: store)
    }

    // MARK: - Life

    private var phase: Phase {
        get {
            dispatchPrecondition(condition: .onQueue(queue))
            return uncheckedPhase
        }
        set {
            dispatchPrecondition(condition: .onQueue(queue))
            uncheckedPhase = newValue
        }
    }

    private var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// The link for messages; `nil` without a connection.
    private var link: (any SessionLink)? {
        switch phase {
        case .open(let connection): connection.link
        case .closing(let link, _): link
        case .notStarted, .connecting, .ended: nil
        }
    }

    func start(_ target: SessionTarget) {
        queue.async { [self] in
            guard case .notStarted = phase else { return }
            switch target {
            case .gateway(let client):
                phase = .connecting(
                    ConnectionAttempt(client) { result in
                        self.queue.async { self.connected(result) }
                    })
            case .database(let peer):
                begin(.version3, facts: SessionConnection()) { peer.connect(self) }
            }
        }
    }

    /// Ends the session soon: `ended` follows.
    func stop() {
        queue.async { [self] in
            switch phase {
            case .notStarted: end(nil)
            case .connecting(let attempt):
                // The look-up of a name, or a distant host, may be slow; stopping does not wait for it.
                attempt.cancel()
                end(nil)
            case .open(var connection):
                connection.isStopping = true
                phase = .open(connection)
                run(machine.stop(at: clock.now))
            case .closing, .ended: break
            }
        }
    }

    /// Ends the session if the gateway has not answered yet.
    func abandonAttempt() {
        queue.async { [self] in
            guard case .connecting(let attempt) = phase else { return }
            attempt.cancel()
            end(nil)
        }
    }

    /// Ends the session soon if the gateway does not answer.
    func check() { queue.async { [self] in link?.check() } }

    private func connected(_ result: Swift.Result<BLIPConnection, TransportError>) {
        dispatchPrecondition(condition: .onQueue(queue))
        switch result {
        case .failure(let error): end(ReplicationError(error))
        case .success(let connection) where hasEnded: connection.abort()
        case .success(let connection):
            guard let version = SyncSubprotocol(exactly: connection.subprotocol) else {
                connection.close(code: WebSocketCloseCode.protocolError)
                return end(
                    ReplicationError(
                        code: CBLError.webSocketProtocolError,
                        message: "The gateway chose the protocol '\(connection.subprotocol)'."))
            }
            let facts = SessionConnection(
                correlationID: connection.responseHeaders.first(name: "X-Correlation-Id"),
                serverCertificate: connection.peerCertificates.first,
                date: connection.responseHeaders.first(name: "Date"))
            begin(version, facts: facts) {
                connection.start(delegate: self)
                return connection
            }
        }
    }

    private func begin(
        _ version: SyncSubprotocol, facts: SessionConnection, connect: () -> any SessionLink
    ) {
        report(.connected(facts))
        phase = .open(OpenConnection(link: connect()))
        do {
            // Before the changes are read for the first time, so that none is missed in between.
            if configuration.isContinuous { try observeChanges() }
        } catch {
            return fail(error)
        }
        run(machine.connected(version, at: clock.now))
    }

    private func observeChanges() throws {
        let indexes = Dictionary(
            uniqueKeysWithValues: configuration.collections.enumerated().map { ($0.element.name, $0.offset) })
        changesToken = try store.observeChanges { [weak self] names in
            let changed = names.compactMap { indexes[$0] }
            guard !changed.isEmpty, let self else { return }
            queue.async { [self] in
                guard !hasEnded else { return }
                guard configuration.pushes else { return checkCollections(changed) }
                run(machine.localChangesCommitted(in: changed, at: clock.now))
            }
        }
    }

    /// A pull does not read its collections, so it would notice a deleted one only with the next document.
    private func checkCollections(_ indexes: [Int]) {
        do {
            for index in indexes { _ = try store.lastSequence(in: configuration.collections[index].name) }
        } catch { fail(error) }
    }

    private func end(_ error: ReplicationError?) {
        guard !hasEnded else { return }
        phase = .ended
        changesToken?.remove()
        changesToken = nil
        transfers.cancelAll()
        report(.ended(error))
    }

    // MARK: - Connection

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) { put(received, from: connection) }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) { closed(reason) }

    func received(_ incoming: [BLIPIncoming], over link: any SessionLink) { put(incoming, from: link) }

    func closed(_ reason: BLIPCloseReason) {
        queue.async { self.ended(reason) }
    }

    private func put(_ incoming: [BLIPIncoming], from link: any SessionLink) {
        guard inbox.put(incoming, from: link) else { return }
        queue.async { self.readInbox() }
    }

    private func readInbox() {
        dispatchPrecondition(condition: .onQueue(queue))
        let (received, bytes) = inbox.takeAll()
        defer { inbox.worked(off: bytes, for: link) }
        guard !hasEnded, !received.isEmpty else { return }
        noteAnswers(received)
        var messages: [BLIPIncoming] = []
        messages.reserveCapacity(received.count)
        for event in received {
            switch event {
            case .responsePart(let tag, let bytes, let isLast):
                receive(bytes, tag: tag, isLast: isLast)
            case .failure(let tag, let error) where transfers.expects(tag):
                if let outcome = transfers.failed(SyncFailure(error), tag: tag) {
                    run(completed(outcome), flushes: false)
                }
            case .request, .response, .failure, .sent: messages.append(event)
            }
        }
        run(machine.receive(messages, at: clock.now))
    }

    private func receive(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            guard let outcome = try transfers.received(bytes, tag: tag, isLast: isLast) else { return }
            if let received = outcome.received { report(.attachment(received)) }
            run(completed(outcome), flushes: false)
        } catch {
            fail(error)
        }
    }

    private func noteAnswers(_ received: [BLIPIncoming]) {
        guard case .open(var connection) = phase, !connection.isWorking, received.contains(where: \.isFromPeer) else {
            return
        }
        connection.isWorking = true
        phase = .open(connection)
        report(.working)
    }

    private func ended(_ reason: BLIPCloseReason) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !hasEnded else { return }
        readInbox()
        run(machine.connectionLost(at: clock.now))
        switch phase {
        case .closing(_, let failure): end(failure.map { ReplicationError($0) })
        case .open(let connection): end(connection.isStopping ? nil : ReplicationError(reason))
        case .notStarted, .connecting, .ended: end(ReplicationError(reason))
        }
    }

    // MARK: - Actions

    /// Carries out actions and, as their results come back at once, those that follow from them.
    private func run(_ actions: [ActiveAction], flushes: Bool = true) {
        dispatchPrecondition(condition: .onQueue(queue))
        var waiting = actions
        var next = 0
        while next < waiting.count {
            do {
                let outcome = try perform(waiting[next])
                log.note(waiting[next], result: outcome?.1)
                if let (id, result) = outcome { waiting += machine.complete(id, with: result, at: clock.now) }
            } catch {
                waiting += machine.fail(SyncFailure(store: error), at: clock.now)
            }
            next += 1
        }
        if flushes { flush() }
    }

    private func flush() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !outgoing.isEmpty else { return }
        link?.send(outgoing)
        outgoing = []
    }

    private func completed(_ outcome: BlobTransfers.Outcome) -> [ActiveAction] {
        machine.complete(outcome.job, with: .fetched(outcome.failure), at: clock.now)
    }

    private func fail(_ error: any Error) { run(machine.fail(SyncFailure(store: error), at: clock.now)) }

    private func perform(_ action: ActiveAction) throws -> (JobID, ActiveResult)? {
        switch action {
        case .send(let batch): outgoing += batch
        case .report(let events): report(.documents(events))
        case .leaveOut(let indexes): report(.missing(indexes.map { configuration.collections[$0].name }))
        case .status(let status): report(.status(status))
        case .wakeUp(let time): wakeUp(at: time)
        case .close(let code, let reason, let failure): close(code, reason: reason, failure: failure)
        case .serveAttachment(let number, let digest, let compresses):
            let (answer, sent) = transfers.content(digest, for: number, compresses: compresses)
            outgoing.append(answer)
            if let sent { report(.attachment(sent)) }
        case .proveAttachment(let number, let digest, let nonce): prove(digest, nonce: nonce, for: number)
        case .fetchAttachment(let id, _, let request, let longest, let tag):
            return try fetch(request, longest: longest, tag: tag, job: id).map { (id, $0) }
        case .resolveConflicts(let id, let collection, let ids): resolveConflicts(ids, in: collection, job: id)
        case .readChanges, .readRefused, .loadRevisions, .markKnown, .noteRefusal, .checkAnnounced,
            .loadSources, .examine, .storeRevisions, .purge, .saveLocalCheckpoint:
            return try SessionStore(store: store, configuration: configuration, generation: generation).perform(action)
        }
        return nil
    }

    private func close(_ code: UInt16, reason: String, failure: SyncFailure?) {
        dispatchPrecondition(condition: .onQueue(queue))
        flush()
        guard let link else { return }
        phase = .closing(link, failure: failure)
        link.close(code: code, reason: reason)
    }

    private func wakeUp(at time: UInt64) {
        dispatchPrecondition(condition: .onQueue(queue))
        wakeUpGeneration += 1
        let generation = wakeUpGeneration
        let now = clock.now
        let delay = time > now ? Int(clamping: time - now) : 0
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self, !hasEnded, generation == wakeUpGeneration else { return }
            run(machine.timerFired(at: clock.now))
        }
    }

    private func prove(_ digest: String, nonce: [UInt8], for number: UInt32) {
        // A large blob takes a while to hash; other messages need not wait for it.
        DispatchQueue.global(qos: .utility).async { [self] in
            let answer = BlobTransfers.proof(digest, nonce: nonce, for: number, in: store.blobs)
            queue.async { self.link?.send([answer]) }
        }
    }

    private func fetch(
        _ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID
    ) throws -> ActiveResult? {
        if let failure = try transfers.begin(request, longest: longest, tag: tag, job: job) {
            return .fetched(failure)
        }
        outgoing.append(.request(request.request, tag: tag))
        return nil
    }

    private func resolveConflicts(_ ids: [String]?, in index: Int, job: JobID) {
        conflicts.resolve(ids, in: configuration.collections[index]) { [self] result in
            queue.async { [self] in
                guard !hasEnded else { return }
                switch result {
                case .success(let outcomes):
                    for case let event? in outcomes.map(\.event) { report(.conflict(event)) }
                    run(machine.complete(job, with: .resolved(outcomes.map(\.resolved)), at: clock.now))
                case .failure(let error): fail(error)
                }
            }
        }
    }
}
