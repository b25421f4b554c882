import BLIPTransport
import Dispatch
import DocumentStore
import DocumentValues
import Foundation
import SyncProtocol
import Synchronization

/// The replicator's life: sessions, one after the other, and the waits between them.
// Unchecked: all stored variables are touched on `queue` only; ``run`` checks it.
final class ReplicatorEngine: @unchecked Sendable {
    /// The state from a start until its end is reported.
    private struct Run {
        enum Stage {
            case preparing
            /// `isAbandoned`: the attempt ends because the network came back, and the next one follows soon.
            case connecting(ReplicationSession, isAbandoned: Bool)
            case running(ReplicationSession)
            /// Between two attempts.
            case waiting
            /// `RunState` has noted the stop before, on the thread of the caller.
            case stopping(ReplicationSession)
            /// The run is over; only the last events of documents still have to be delivered.
            case ended
        }

        let begun: RunState.Run
        /// Kept alive while it runs: callers may hold only a token.
        let replicator: Replicator
        let registration: ListenerToken?
        var policy: RetryPolicy
        var windows = WindowPolicy()
        var stage = Stage.preparing
        var store: ReplicationStore?
        var networkToken: ListenerToken?
        /// This run has reset the checkpoints, and no gateway has answered since: documents that the gateway refused before are
        /// pushed again, and another refusal is reported.
        var isFreshlyReset = false
        var progress = RunProgress()
        var refusals = RefusalLog()
    }

    private let configuration: ReplicatorConfiguration
    let queue = DispatchQueue(label: "fieldbook.replicator")
    private let environment: ReplicatorEnvironment
    private let reporter: StatusReporter
    /// `nil` while it is stopped.
    private var uncheckedRun: Run?
    /// Counts sessions and waits: results of an earlier one are ignored.
    private var attempt = 0

    init(_ configuration: ReplicatorConfiguration, environment: ReplicatorEnvironment) {
        self.configuration = configuration
        self.environment = environment
        reporter = StatusReporter(queue: queue, listenerTime: environment.listenerTime)
    }

    private var run: Run? {
        get {
            dispatchPrecondition(condition: .onQueue(queue))
            return uncheckedRun
        }
        _modify {
            dispatchPrecondition(condition: .onQueue(queue))
            yield &uncheckedRun
        }
    }

    /// Called by the replicator's initialiser, before anything else.
    func attach(_ replicator: Replicator) { reporter.attach(replicator) }

    private var newPolicy: RetryPolicy {
        RetryPolicy(
            maxAttempts: configuration.maxAttempts, maxWait: configuration.maxAttemptWaitTime,
            isContinuous: configuration.continuous, firstWait: environment.firstWait,
            endsInSilence: configuration.endsInSilence)
    }

    // MARK: - Life

    /// When it returns, the replicator holds its database and its status is `connecting`, or its status has the error.
    ///
    /// Nothing here waits for the queue or the store: it may be called from anywhere, also within a batch.
    func start(_ replicator: Replicator, resets: Bool) {
        guard let run = replicator.runState.withLock({ $0.start(resets: resets) }) else { return }
        do {
            try configuration.validate()
            let registration = try configuration.database?.register(.replicator)
            replicator.runState.withLock { $0.report(Replicator.Status(activity: .connecting, progress: .zero)) }
            queue.async { self.begin(run, replicator: replicator, registration: registration) }
        } catch {
            refuse(run, replicator: replicator, error: error)
        }
    }

    private func refuse(_ run: RunState.Run, replicator: Replicator, error: any Error) {
        let status = Replicator.Status(activity: .stopped, progress: .zero, error: Self.shown(error))
        let (next, newest) = end(replicator, with: status) {}
        queue.async { [self] in
            LibraryLog.replicator.error("Refused to start: \(error)")
            reporter.announce(status, upTo: newest)
            // It will be refused as well, but the listeners have to get its status, too.
            if let next { refuse(next, replicator: replicator, error: error) }
        }
    }

    private func begin(_ started: RunState.Run, replicator: Replicator, registration: ListenerToken?) {
        dispatchPrecondition(condition: .onQueue(queue))
        run = Run(
            begun: started, replicator: replicator, registration: registration, policy: newPolicy)
        guard !replicator.runState.withLock({ $0.isStopping }) else { return stopped(nil) }
        watchNetwork()
        connect()
    }

    private func prepare() throws {
        guard let run, let database = configuration.database else { return }
        let remote = try KnownEndpoint(configuration.target).identity()
        let store = try ReplicationStore(database: database, remote: remote)
        if run.begun.resets { try reset(store) }
        self.run?.store = store
    }

    private func reset(_ store: ReplicationStore) throws {
        run?.isFreshlyReset = true
        for collection in try SessionConfiguration(configuration, store: store).collections {
            // A gateway without a checkpoint is no news if there was none here either.
            guard let body = try store.loadCheckpoint(collection.checkpointID) else { continue }
            var checkpoint = Checkpoint(parsing: body) ?? .compareEverything
            checkpoint.isReset = true
            try store.saveCheckpoint(
                collection.checkpointID, body: checkpoint.localJSON(at: SessionClock().now))
        }
        run?.replicator.runState.withLock { $0.resetIsStored() }
    }

    func stop(_ replicator: Replicator) {
        guard let number = replicator.runState.withLock({ $0.stop() }) else { return }
        queue.async { [self] in
            // A run that has not begun yet checks that itself.
            guard let run, run.begun.number == number else { return }
            switch run.stage {
            case .preparing, .stopping, .ended: break
            case .connecting(let session, _), .running(let session):
                self.run?.stage = .stopping(session)
                reporter.report(.busy, progress: progress, error: nil)
                session.stop()
            case .waiting: stopped(nil)
            }
        }
    }

    private func connect() {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            if run?.store == nil { try prepare() }
            guard let run, let store = run.store else { return stopped(nil) }
            let number = nextAttempt()
            var settings = try SessionConfiguration(configuration, store: store)
            settings.retriesQuietly = !run.isFreshlyReset
            settings.window = run.windows.window
            let session = try ReplicationSession(settings, store: store) { [self] event in
                queue.async { self.handle(event, of: number) }
            }
            let target = try target(store, of: number)
            self.run?.stage = .connecting(session, isAbandoned: false)
            LibraryLog.replicator.info("Connecting to \(targetText)")
            reporter.report(.connecting, progress: progress, error: nil)
            session.start(target)
        } catch let error as StoreError where error.code == .busy {
            retry(after: ReplicationError(error))
        } catch {
            stopped(error)
        }
    }

    private func nextAttempt() -> Int {
        attempt += 1
        return attempt
    }

    private func target(_ store: ReplicationStore, of number: Int) throws -> SessionTarget {
        switch try KnownEndpoint(configuration.target) {
        case .url(let endpoint):
            var client = try settings(for: endpoint, store).client
            client.replies.reportSilence = { [self] seconds in
                queue.async { self.noteSilence(seconds, of: number) }
            }
            return .gateway(client)
        case .database(let endpoint): return .database(try LocalPeer(endpoint.database, for: store))
        }
    }

    private func noteSilence(_ seconds: Int64, of number: Int) {
        guard number == attempt, let replicator = run?.replicator else { return }
        LibraryLog.replicator.info("The gateway owes a reply and has sent nothing for \(seconds) s")
        replicator.silenceListeners.notify(seconds)
    }

    /// The other side, for the log; its URL holds no credentials.
    private var targetText: String {
        switch configuration.target {
        case let endpoint as URLEndpoint: endpoint.identity
        case let endpoint as DatabaseEndpoint: "the database \(endpoint.database.name)"
        default: "an unknown endpoint"
        }
    }

    private func settings(for endpoint: URLEndpoint, _ store: ReplicationStore) throws -> ClientSettings {
        let jar = jar(of: store)
        try DeviceCookie(in: jar, of: store, for: endpoint)?.load()
        return ClientSettings(configuration, endpoint: endpoint, jar: jar, environment: environment)
    }

    /// Keeps the gateway's cookie for later processes. A sync also works without it.
    private func saveDeviceCookie() {
        guard let store = run?.store, let endpoint = configuration.target as? URLEndpoint else { return }
        do {
            try DeviceCookie(in: jar(of: store), of: store, for: endpoint)?.save()
        } catch {
            LibraryLog.replicator.warning("The gateway's device cookie was not stored: \(error)")
        }
    }

    private func jar(of store: ReplicationStore) -> CookieJar {
        CookieJar.shared(by: CookieOwner(configuration, store: store))
    }

    // MARK: - Sessions

    private func handle(_ event: SessionEvent, of number: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard number == attempt, let replicator = run?.replicator else { return }
        switch event {
        case .connected(let connection): connected(connection, replicator: replicator)
        case .working:
            run?.isFreshlyReset = false
            run?.policy.connectionWorked()
            run?.windows.connectionWorked()
        case .status(let status): statusChanged(status)
        case .documents(let events):
            // A refusal, or a loss of access, may be reported by every connection.
            if events.contains(where: { $0.failure == nil && !$0.isAccessLost }) { run?.policy.noteTransfer() }
            documents(events)
        case .missing(let names):
            replicator.runState.withLock { $0.missingCollections = names }
            LibraryLog.replicator.warning(
                "\(targetText) does not have \(names.map(\.description).joined(separator: ", ")); the rest is exchanged"
            )
        case .conflict(let conflict):
            LibraryLog.replicator.info(
                "Conflict of '\(conflict.id.withControlsEscaped)' in \(conflict.scope).\(conflict.collection): \(conflict.winner.rawValue) wins"
            )
            replicator.conflictListeners.notify(conflict)
        case .attachment(let attachment):
            if !attachment.isPush {
                run?.windows.attachmentArrived()
                run?.policy.noteTransfer()
            }
            replicator.attachmentListeners.notify(attachment)
        case .ended(let error): ended(error)
        }
    }

    private func connected(_ connection: SessionConnection, replicator: Replicator) {
        if case .connecting(let session, _) = run?.stage { run?.stage = .running(session) }
        replicator.runState.withLock { state in
            state.correlationID = connection.correlationID
            state.gatewayDate = connection.date
            state.missingCollections = []
            state.serverCertificate = connection.serverCertificate.map { Certificate(der: $0) }
        }
        saveDeviceCookie()
        LibraryLog.replicator.info("Connected to \(targetText), correlation id \(connection.correlationID ?? "none")")
    }

    private func statusChanged(_ status: ActiveStatus) {
        run?.progress.connection(completed: status.completed, total: status.total, isCaughtUp: !status.isBusy)
        run?.windows.documents(completed: status.completed, isCaughtUp: !status.isBusy)
        switch run?.stage {
        case .running: reporter.report(status.isBusy ? .busy : .idle, progress: progress, error: nil)
        case .stopping: reporter.report(.busy, progress: progress, error: nil)
        case .preparing, .connecting, .waiting, .ended, nil: break
        }
    }

    private var progress: Replicator.Progress { run?.progress.progress ?? .zero }

    private func ended(_ error: ReplicationError?) {
        guard let stage = run?.stage else { return }
        if let summary = run?.refusals.summary { LibraryLog.replicator.warning(summary) }
        run?.refusals = RefusalLog()
        switch stage {
        case .preparing, .waiting, .ended: break
        case .connecting(_, isAbandoned: true): connect(after: ReplicationLimits.networkSettles)
        case .stopping:
            run?.progress.connectionEnded(isFinished: false)
            stopped(nil)
        case .connecting(_, isAbandoned: false), .running:
            run?.progress.connectionEnded(isFinished: error == nil)
            run?.windows.connectionEnded(isLost: error?.isOfLine ?? false)
            retry(after: error)
        }
    }

    private func retry(after error: ReplicationError?) {
        guard let error else { return stopped(nil) }
        guard let wait = run?.policy.wait(after: error, jitter: .random(in: 0..<1)) else { return stopped(error) }
        LibraryLog.replicator.info("Offline, next attempt in \(Int(wait.rounded())) s: \(Self.text(error))")
        reporter.report(.offline, progress: progress, error: error)
        connect(after: wait)
    }

    // MARK: - Waiting

    /// Replaces an earlier wait.
    private func connect(after seconds: TimeInterval) {
        let number = nextAttempt()
        run?.stage = .waiting
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, number == attempt, case .waiting = run?.stage else { return }
            connect()
        }
    }

    private func watchNetwork() {
        do {
            run?.networkToken = try environment.network.watch { [weak self] news in
                guard let self else { return }
                queue.async { self.networkChanged(news) }
            }
        } catch {
            LibraryLog.network.info("Waits end after their time alone: \(error)")
        }
    }

    private func networkChanged(_ news: NetworkChange) {
        dispatchPrecondition(condition: .onQueue(queue))
        // A socket does not notice the change, and a connection cannot move from one network to another.
        checkConnection()
        guard news == .better else { return }
        run?.policy.networkChanged()
        switch run?.stage {
        case .waiting: connect(after: ReplicationLimits.networkSettles)
        case .connecting(let session, _):
            // Packets that were sent into the old network are lost, and the kernel waits longer before each new try.
            run?.stage = .connecting(session, isAbandoned: true)
            session.abandonAttempt()
        case .preparing, .running, .stopping, .ended, nil: break
        }
    }

    private func checkConnection() {
        dispatchPrecondition(condition: .onQueue(queue))
        if case .running(let session) = run?.stage { session.check() }
    }

    func check() { queue.async { [self] in checkConnection() } }

    private func stopped(_ error: (any Error)?) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let replicator = run?.replicator else { return }
        run?.stage = .ended
        run?.networkToken?.remove()
        run?.networkToken = nil
        run?.store = nil
        let error = error.map { Self.shown($0) }
        if let error {
            LibraryLog.replicator.error("Stopped replicating with \(targetText): \(Self.text(error))")
        } else {
            LibraryLog.replicator.info("Stopped")
        }
        let status = Replicator.Status(activity: .stopped, progress: progress, error: error)
        reporter.whenDocumentsAreDelivered { [self] in finish(status, replicator: replicator) }
    }

    private func finish(_ status: Replicator.Status, replicator: Replicator) {
        let held = run?.registration
        let (next, newest) = end(replicator, with: status) { held?.remove() }
        if let next {
            queue.async { self.begin(next, replicator: replicator, registration: held) }
        } else {
            reporter.announce(status, upTo: newest)
            run = nil
        }
    }

    /// - Returns: the run that follows, and the newest listener at this end. A caller that reads the end of this run, and
    ///   starts the next with `run()`, may add a listener before the others are notified. That listener must not get this
    ///   end, which would look like the end of its own run.
    private func end(
        _ replicator: Replicator, with status: Replicator.Status, release: () -> Void
    ) -> (next: RunState.Run?, newest: UInt64) {
        replicator.runState.withLock { state in
            (state.end(status, release: release), replicator.changeListeners.newest)
        }
    }

    private func documents(_ events: [DocumentEvent]) {
        dispatchPrecondition(condition: .onQueue(queue))
        let documents = events.map { document($0) }
        for (event, document) in zip(events, documents) where event.failure != nil {
            if event.failure == .rejectedByPullFilter {
                LibraryLog.replicator.verbose("The pull filter keeps '\(event.documentID.withControlsEscaped)' out")
            } else if let line = run?.refusals.line(document.1, isPush: event.isPush) {
                LibraryLog.replicator.warning(line)
            }
        }
        reporter.documents(documents)
    }

    /// With its number, by which it can be looked up.
    private static func text(_ error: any Error) -> String {
        guard let error = error as? ReplicationError else { return "\(error)" }
        return "\(error) (\(error.domain) \(error.code))"
    }

    private static func shown(_ error: any Error) -> any Error {
        (error as? StoreError).map { ReplicationError($0) } ?? error
    }

    private func document(_ event: DocumentEvent) -> (isPush: Bool, ReplicatedDocument) {
        let collection = configuration.collections[event.collection].collection
        var flags: DocumentFlags = []
        if event.isDeleted { flags.insert(.deleted) }
        if event.isAccessLost { flags.insert(.accessRemoved) }
        return (
            event.isPush,
            ReplicatedDocument(
                id: event.documentID, flags: flags, error: event.failure.map { ReplicationError(ofDocument: $0) },
                scope: collection.scope.name, collection: collection.name, wasHere: event.wasHere)
        )
    }
}
