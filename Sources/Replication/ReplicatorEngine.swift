import BLIPTransport
import Dispatch
import DocumentStore
import DocumentValues
import Foundation
import SyncProtocol
import Synchronization

/// The replicator's life: sessions, one after the other, and the waits between them.
// Unchecked: all stored variables are touched on `queue` only.
final class ReplicatorEngine: @unchecked Sendable {
    private enum State {
        case stopped
        case connecting(ReplicationSession)
        case running(ReplicationSession)
        /// Between two attempts.
        case waiting(generation: Int)
        case stopping(ReplicationSession)
    }

    private let configuration: ReplicatorConfiguration
    let queue = DispatchQueue(label: "fieldbook.replicator")
    private var state = State.stopped
    private var store: ReplicationStore?
    private var policy: RetryPolicy
    private let surroundings: ReplicatorSurroundings
    private var registration: ListenerToken?
    private var networkToken: ListenerToken?
    /// Nothing has come of the reset yet.
    private var isReset = false
    /// The attempt under way ends because the network came back.
    private var beginsAnew = false
    private var generation = 0
    private let reporter: StatusReporter
    /// Kept alive while it runs, as callers expect who hold only a token.
    private var owner: Replicator?
    private weak var replicator: Replicator?
    /// Stopping may be asked of an earlier run than this.
    private var run = 0
    private var runProgress = RunProgress()
    private var refusals = RefusalLog()

    init(_ configuration: ReplicatorConfiguration, _ surroundings: ReplicatorSurroundings) {
        self.configuration = configuration
        self.surroundings = surroundings
        policy = Self.policy(configuration, surroundings)
        reporter = StatusReporter(queue: queue)
    }

    /// Called by the replicator's initialiser, before anything else.
    func attach(_ replicator: Replicator) {
        self.replicator = replicator
        reporter.attach(replicator)
    }

    private static func policy(
        _ configuration: ReplicatorConfiguration, _ surroundings: ReplicatorSurroundings
    ) -> RetryPolicy {
        RetryPolicy(
            maxAttempts: configuration.maxAttempts, maxWait: configuration.maxAttemptWaitTime,
            isContinuous: configuration.continuous, firstWait: surroundings.firstWait)
    }

    // MARK: - Life

    /// When it returns, the replicator holds its database and its status is `connecting`; or its status says why not.
    ///
    /// Nothing here waits for the queue or the store: it may be called from anywhere, also within a batch.
    func start(_ replicator: Replicator, resets: Bool) {
        guard let run = replicator.known.withLock({ $0.start(resets: resets) }) else { return }
        do {
            try configuration.validate()
            let registration = try configuration.database?.register(.replicator)
            replicator.known.withLock { $0.tell(Replicator.Status(activity: .connecting, progress: .zero)) }
            queue.async { self.begin(run, replicator, registration) }
        } catch {
            refuse(run, replicator, error)
        }
    }

    private func refuse(_ run: KnownState.Run, _ replicator: Replicator, _ error: any Error) {
        let status = Replicator.Status(activity: .stopped, progress: .zero, error: Self.shown(error))
        let next = replicator.known.withLock { $0.end(status) {} }
        queue.async { [self] in
            LibraryLog.replicator.error("Refused to start: \(error)")
            reporter.announce(status)
            // It will be refused as well, but not in silence.
            if let next { refuse(next, replicator, error) }
        }
    }

    private func begin(_ run: KnownState.Run, _ replicator: Replicator, _ registration: ListenerToken?) {
        self.run = run.number
        self.registration = registration
        owner = replicator
        policy = Self.policy(configuration, surroundings)
        runProgress = RunProgress()
        guard !replicator.known.withLock({ $0.isStopping }) else { return stopped(nil) }
        do {
            try prepare(resets: run.resets)
            watchNetwork()
            connect()
        } catch {
            stopped(error)
        }
    }

    private func prepare(resets: Bool) throws {
        guard let database = configuration.database else { return }
        let remote = try KnownEndpoint(configuration.target).identity()
        let store = try ReplicationStore(database: database, remote: remote)
        self.store = store
        isReset = resets
        guard resets else { return }
        for collection in try SessionConfiguration(configuration, store: store).collections {
            // Where there was none before, that the gateway has none says nothing.
            guard let body = try store.loadCheckpoint(collection.checkpointID) else { continue }
            var checkpoint = Checkpoint(parsing: body) ?? .compareEverything
            checkpoint.isReset = true
            try store.saveCheckpoint(
                collection.checkpointID, checkpoint.localJSON(at: ReplicationSession.now))
        }
    }

    func stop(_ replicator: Replicator) {
        guard let number = replicator.known.withLock({ $0.stop() }) else { return }
        queue.async { [self] in
            // One that has not begun yet finds out by itself.
            guard number == run else { return }
            switch state {
            case .stopped, .stopping: break
            case .connecting(let session), .running(let session):
                state = .stopping(session)
                reporter.report(.busy, progress, nil)
                session.stop()
            case .waiting: stopped(nil)
            }
        }
    }

    private func connect() {
        do {
            guard let store else { return stopped(nil) }
            generation += 1
            let number = generation
            var settings = try SessionConfiguration(configuration, store: store)
            settings.retriesQuietly = !isReset
            let session = try ReplicationSession(settings, store: store) { [self] event in
                queue.async { self.handle(event, of: number) }
            }
            let target = try target(store)
            state = .connecting(session)
            LibraryLog.replicator.info("Connecting to \(place)")
            reporter.report(.connecting, progress, nil)
            session.start(target)
        } catch {
            stopped(error)
        }
    }

    private func target(_ store: ReplicationStore) throws -> SessionTarget {
        switch try KnownEndpoint(configuration.target) {
        case .url(let endpoint): .gateway(ClientSettings(configuration, endpoint, jar: jar, surroundings).client)
        case .database(let endpoint): .database(try LocalPeer(endpoint.database, for: store))
        }
    }

    /// Where the other side is; its URL holds no credentials.
    private var place: String {
        switch configuration.target {
        case let endpoint as URLEndpoint: endpoint.identity
        case let endpoint as DatabaseEndpoint: "the database \(endpoint.database.name)"
        default: "an unknown endpoint"
        }
    }

    private var jar: CookieJar { CookieJar.shared(forDatabaseAt: store?.database.path ?? "") }

    // MARK: - Sessions

    private func handle(_ event: SessionEvent, of number: Int) {
        guard number == generation else { return }
        switch event {
        case .connected(let connection): connected(connection)
        case .working:
            isReset = false
            policy.connectionWorked()
        case .status(let status): statusChanged(status)
        case .documents(let events): documents(events)
        case .conflict(let conflict):
            LibraryLog.replicator.info(
                "Conflict of '\(conflict.id.withControlsEscaped)' in \(conflict.scope).\(conflict.collection): \(conflict.winner.rawValue) wins"
            )
            replicator?.conflictListeners.tell(conflict)
        case .attachment(let attachment): replicator?.attachmentListeners.tell(attachment)
        case .ended(let error): ended(error)
        }
    }

    private func connected(_ connection: SessionConnection) {
        beginsAnew = false
        if case .connecting(let session) = state { state = .running(session) }
        replicator?.known.withLock { known in
            known.correlationID = connection.correlationID
            known.gatewayDate = connection.date
            known.serverCertificate = connection.serverCertificate.map { Certificate(der: $0) }
        }
        LibraryLog.replicator.info("Connected to \(place), correlation id \(connection.correlationID ?? "none")")
    }

    private func statusChanged(_ status: ActiveStatus) {
        runProgress.connection(completed: status.completed, total: status.total, isCaughtUp: !status.isBusy)
        switch state {
        case .running: reporter.report(status.isBusy ? .busy : .idle, progress, nil)
        case .stopping: reporter.report(.busy, progress, nil)
        case .stopped, .connecting, .waiting: break
        }
    }

    private var progress: Replicator.Progress { runProgress.progress }

    private func ended(_ error: ReplicationError?) {
        if let summary = refusals.summary { LibraryLog.replicator.warning(summary) }
        refusals = RefusalLog()
        if case .connecting = state, beginsAnew {
            beginsAnew = false
            return connect(after: ReplicationLimits.networkSettles)
        }
        runProgress.connectionEnded(isFinished: error == nil && !isStopping)
        switch state {
        case .stopped, .waiting: return
        case .stopping: return stopped(nil)
        case .connecting, .running: break
        }
        guard let error else { return stopped(nil) }
        guard let wait = policy.wait(after: error, jitter: .random(in: 0..<1)) else { return stopped(error) }
        LibraryLog.replicator.info("Offline, next attempt in \(Int(wait.rounded())) s: \(Self.text(error))")
        waitForNextAttempt(wait, error)
    }

    // MARK: - Waiting

    private func waitForNextAttempt(_ seconds: TimeInterval, _ error: ReplicationError) {
        reporter.report(.offline, progress, error)
        connect(after: seconds)
    }

    /// Replaces an earlier wait.
    private func connect(after seconds: TimeInterval) {
        generation += 1
        let number = generation
        state = .waiting(generation: number)
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, case .waiting(number) = state else { return }
            connect()
        }
    }

    private func watchNetwork() {
        do {
            networkToken = try surroundings.network.watch { [weak self] news in
                guard let self else { return }
                queue.async { self.networkChanged(news) }
            }
        } catch {
            LibraryLog.network.info("Waits will end by the clock alone: \(error)")
        }
    }

    private func networkChanged(_ news: NetworkNews) {
        // A socket does not notice; nor does a connection follow from one network to another.
        checkConnection()
        guard news == .better else { return }
        policy.networkChanged()
        switch state {
        case .waiting: connect(after: ReplicationLimits.networkSettles)
        case .connecting(let session):
            // What was sent into the old network is lost, and the kernel waits ever longer until it sends again.
            beginsAnew = true
            session.abandonAttempt()
        case .stopped, .running, .stopping: break
        }
    }

    private func checkConnection() {
        if case .running(let session) = state { session.check() }
    }

    func check() { queue.async { [self] in checkConnection() } }

    private var isStopping: Bool {
        switch state {
        case .stopping: true
        case .stopped, .connecting, .running, .waiting: false
        }
    }

    private func stopped(_ error: (any Error)?) {
        state = .stopped
        networkToken?.remove()
        networkToken = nil
        store = nil
        guard let replicator = owner else { return }
        let error = error.map { Self.shown($0) }
        if let error {
            LibraryLog.replicator.error("Stopped replicating with \(place): \(Self.text(error))")
        } else {
            LibraryLog.replicator.info("Stopped")
        }
        let status = Replicator.Status(activity: .stopped, progress: progress, error: error)
        reporter.whenDocumentsAreDelivered { [self] in finish(status, replicator) }
    }

    private func finish(_ status: Replicator.Status, _ replicator: Replicator) {
        let held = registration
        let next = replicator.known.withLock { known in known.end(status) { held?.remove() } }
        if let next {
            queue.async { self.begin(next, replicator, held) }
        } else {
            registration = nil
            reporter.announce(status)
            owner = nil
        }
    }

    private func documents(_ events: [DocumentEvent]) {
        let documents = events.map { document($0) }
        for (event, document) in zip(events, documents) where event.failure != nil {
            if event.failure == .rejectedByPullFilter {
                LibraryLog.replicator.verbose("The pull filter keeps '\(event.documentID.withControlsEscaped)' out")
            } else if let line = refusals.line(document.1, isPush: event.isPush) {
                LibraryLog.replicator.warning(line)
            }
        }
        reporter.documents(documents)
    }

    /// With its number, by which others know it.
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
                id: event.documentID, flags: flags, error: event.failure.map { ReplicationError($0) },
                scope: collection.scope.name, collection: collection.name, wasHere: event.wasHere)
        )
    }
}
