import DocumentStore
import FieldRecords
import FieldSync
import Foundation
import Glibc
import Replication
import SQLiteStorage
import ServiceLifecycle

/// `fieldbook sync --continuous`: does what `ServicePolicy` decides, with one replicator after the other, and reports
/// the shells, systemd and anybody who looks on.
final class SyncService {
    private let session: ShellSession
    private let folder: ServiceFolder
    private let signIn: SignInSource
    private let isAttended: Bool
    private let inputs: AsyncStream<ServiceInput>
    private let feed: ServiceSources.Feed
    private let sources: ServiceSources
    private let reporter: ServiceStatusReporter

    private var policy: ServicePolicy
    /// Events that actions have brought about, done before anything else.
    private var next: [ServicePolicy.Event] = []
    private var isOver = false
    private var alarms = 0

    private var tally: SyncTally
    private var exchangeLock: FileLock?
    private var connection: GatewayConnection?
    private var startedWith: GatewayConnection.Identity?
    private var replicator: Replicator?
    private var replicators = 0
    private var tokens: [ListenerToken] = []
    /// What was counted when everything was last exchanged: progress is reported from there.
    private var base: (completed: UInt64, total: UInt64) = (0, 0)
    private var lastError: (any Error)?
    private var wasEverConnected = false

    init(_ session: ShellSession, options: SyncOptions) throws {
        self.session = session
        isAttended = session.stopsOnInterrupt
        folder = ServiceFolder(of: session.folder)
        let environment = try session.syncEnvironment()
        signIn = session.signInSource(environment, passwordFile: options.passwordFile)
        tally = try SyncTally(environment)
        let (inputs, continuation) = AsyncStream<ServiceInput>.makeStream()
        self.inputs = inputs
        feed = { continuation.yield($0) }
        sources = ServiceSources(feed)
        let notifier = isAttended ? nil : SystemdNotifier(session.environment.variables)
        reporter = ServiceStatusReporter(session, folder: folder, notifier: notifier, isAttended: isAttended)
        policy = ServicePolicy(isAttended: isAttended, resetsFirst: options.resets)
    }

    /// Ends when it is asked to, and, where somebody looks on, with what the gateway refuses.
    ///
    /// - Throws: `ServiceTrouble` if there is a service already.
    func run() async throws -> SyncReport {
        try folder.prepare()
        guard let lock = try folder.takeServiceLock() else {
            throw ServiceTrouble.runsAlready(process: folder.notes().service?.process)
        }
        defer {
            exchangeLock?.release()
            lock.release()
        }
        try begin()
        defer { sources.cancel() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await work()
        } onCancelOrGracefulShutdown: { [feed] in
            feed(.event(.stopAsked))
        }
        if isAttended, let lastError { throw lastError }
        var report = try tally.take()
        report.by = .endingService
        report.end = wasEverConnected ? .stopped : .stoppedOffline
        return report
    }

    private func begin() throws {
        try sources.watchFiles(folder, signIn: signIn)
        if isAttended { sources.catchInterrupt() } else { sources.catchHangUp() }
        do {
            try sources.watchNetwork()
        } catch {
            reporter.remark("\(error) After a refusal the service tries again by the clock alone.")
        }
        if let interval = reporter.notifier?.watchdogInterval { sources.proveLife(within: interval) }
        reporter.begin()
    }

    private func work() async {
        handle(.begun)
        takeRequests()
        reporter.notify(.ready)
        for await input in inputs {
            take(input)
            if isOver { break }
        }
        session.meter.finish()
    }

    private func take(_ input: ServiceInput) {
        switch input {
        case .event(let event): handle(event)
        case .news(let news, let error, let number):
            guard number == replicators else { return }
            note(news, error: error)
        case .requestsCame: takeRequests()
        case .alarm(let number):
            if number == alarms { handle(.timeIsUp) }
        case .proveLife: reporter.notify(.alive)
        }
    }

    private func handle(_ event: ServicePolicy.Event) {
        next.append(event)
        while !next.isEmpty {
            for action in policy.handle(next.removeFirst()) { perform(action) }
        }
    }

    private func perform(_ action: ServicePolicy.Action) {
        switch action {
        case .readSignIn: next.append(.signInRead(readSignIn()))
        case .start(let resets): start(resets: resets)
        case .check: replicator?.checkConnection()
        case .stop: replicator?.stop()
        case .report(let state): report(state)
        case .answer(let requests, let outcome): answer(requests, outcome: outcome)
        case .remark(let text): reporter.remark(text)
        case .wake(let duration):
            alarms += 1
            sources.send(.alarm(alarms), after: duration / .seconds(1))
        case .beginReload: reporter.notify(.reloading)
        case .endReload: reporter.notify(.ready)
        case .expectEnd:
            reporter.notify(.stopping)
            sources.send(.event(.stopOverdue), after: ServiceLimits.stopping)
        case .end: isOver = true
        }
    }
}

extension SyncService {
    private func report(_ state: ServiceState) {
        var state = state
        if state.activity == .idle {
            do {
                state.refused = try session.field().unsettledRefusals().count
            } catch {
                reporter.remark(ErrorText.text(error))
            }
        }
        reporter.report(state, gateway: connection?.settings.gateway)
    }
}

// MARK: - Signing in, and the replicator

extension SyncService {
    private func readSignIn() -> ServicePolicy.SignIn {
        do {
            let connection = try signIn.read()
            self.connection = connection
            return .usable(isNew: connection.identity != startedWith)
        } catch {
            lastError = error
            return .unusable(ErrorText.text(error))
        }
    }

    private func start(resets: Bool) {
        do {
            if exchangeLock == nil { exchangeLock = try folder.takeExchangeLock() }
            guard exchangeLock != nil else { return next.append(.folderIsBusy) }
            guard let connection else { return }
            startedWith = connection.identity
            var configuration = try connection.configuration(continuous: true)
            configuration.heartbeat = ServiceLimits.heartbeat
            begin(Replicator(config: configuration), resets: resets)
        } catch {
            lastError = error
            next.append(.replicator(ServicePolicy.News(activity: .stopped, failure: ErrorText.text(error))))
        }
    }

    private func begin(_ replicator: Replicator, resets: Bool) {
        tokens.forEach { $0.remove() }
        replicators += 1
        base = (0, 0)
        let (feed, number) = (feed, replicators)
        tokens = tally.listen(to: replicator)
        tokens.append(
            replicator.addChangeListener { change in
                let error = change.status.error
                feed(.news(ServicePolicy.News(change.status), error: error, of: number))
            })
        self.replicator = replicator
        lastError = nil
        replicator.start(reset: resets)
    }

    private func note(_ news: ServicePolicy.News, error: (any Error)?) {
        var news = news
        switch news.activity {
        case .exchanging, .idle:
            wasEverConnected = true
            lastError = nil
            if policy.state.activity != .exchanging { tally.restartClock() }
        case .offline, .stopped: lastError = error
        case .connecting: break
        }
        if news.activity == .idle {
            reporter.noteClock(
                ClockCheck.secondsAhead(laptop: session.environment.now(), date: replicator?.gatewayDate))
            base = (news.completed, news.total)
            reportNews()
        }
        news.completed -= min(news.completed, base.completed)
        news.total -= min(news.total, base.total)
        handle(.replicator(news))
    }
}

// MARK: - What it is asked

extension SyncService {
    private func takeRequests() {
        do {
            let requests = try folder.takeRequests()
            guard !requests.isEmpty else { return }
            // What came before belongs to nobody who asks now.
            reportNews()
            reporter.recount()
            for request in requests { handle(.syncAsked(request)) }
        } catch {
            reporter.remark("What the shells ask cannot be read: \(ErrorText.text(error))")
        }
    }

    private func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome) {
        reportNews()
        do {
            reporter.answer(requests, outcome: outcome, refused: try session.field().unsettledRefusals().count)
        } catch {
            reporter.remark(ErrorText.text(error))
        }
    }

    private func reportNews() {
        do {
            reporter.reportNews(try tally.take())
        } catch {
            reporter.remark(ErrorText.text(error))
        }
    }
}

extension ServicePolicy.News {
    fileprivate init(_ status: Replicator.Status) {
        let activity: Activity =
            switch status.activity {
            case .stopped: .stopped
            case .offline: .offline
            case .connecting: .connecting
            case .idle: .idle
            case .busy: .exchanging
            }
        self.init(
            activity: activity, completed: status.progress.completed, total: status.progress.total,
            failure: status.error.map { ErrorText.text($0) })
    }
}
