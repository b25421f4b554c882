import FieldRecords
import Foundation
import Replication
import SQLiteStorage
import ServiceLifecycle

/// The sync service of a folder: carries out the decisions of `ServicePolicy`, and reports the results.
///
/// ```swift
/// let events = ServiceEventStream()
/// let service = try SyncService(signIn: SignInSource(SyncEnvironment(field: field)), reporters: [events])
/// // On one task, until service.control.stop() is called:
/// let report = try await service.run()
/// // On another:
/// for await event in events.events { show(event) }
/// ```
public final class SyncService {
    private enum State {
        case created
        case running
        case ended
    }

    public let control: ServiceControl
    private let folder: ServiceFolder
    private let inputs: Inbox<ServiceInput>
    private let sources: ServiceSources
    private let reports: ServiceReports
    private let journal: ServiceJournal
    private let exchange: ServiceExchange
    private var policy: ServicePolicy
    private var state = State.created

    /// - Parameters:
    ///   - isAttended: whether a person is watching, who has to act on a refusal of the gateway: then the service ends.
    ///   - resets: compares everything again at first.
    public init(
        signIn: SignInSource, isAttended: Bool = false, resets: Bool = false, reporters: [any ServiceReporting]
    ) throws {
        let environment = signIn.environment
        let folder = ServiceFolder(of: environment.field.folder)
        let inputs = Inbox<ServiceInput>()
        let feed: ServiceSources.Feed = { inputs.put($0) }
        self.folder = folder
        self.inputs = inputs
        control = ServiceControl(feed: feed)
        sources = ServiceSources(feed, signIn: signIn)
        reports = ServiceReports(reporters: reporters, wording: environment.wording)
        journal = ServiceJournal(folder, environment: environment, reports: reports)
        exchange = try ServiceExchange(folder, signIn: signIn, feed: feed)
        policy = ServicePolicy(isAttended: isAttended, resetsFirst: resets, wording: environment.wording)
    }

    /// Ends on request and, if it is attended, when the gateway refuses. A service runs once.
    ///
    /// - Returns: the exchange since the last report.
    /// - Throws: `SyncProblem.serviceRuns` if there is a service already; `serviceHasRun` if it was this one.
    public func run() async throws -> SyncReport {
        guard state == .created else { throw SyncProblem.serviceHasRun }
        state = .running
        defer { reports.send(.ended) }
        try folder.prepare()
        guard let lock = try folder.takeServiceLock() else {
            throw SyncProblem.serviceRuns(process: folder.notes().service?.process)
        }
        defer {
            exchange.release()
            lock.release()
        }
        defer { sources.cancel() }
        try begin()
        await withTaskCancellationOrGracefulShutdownHandler {
            await work()
        } onCancelOrGracefulShutdown: { [control] in
            control.stop()
        }
        if policy.isAttended, let failure = exchange.failure { throw failure }
        perform(exchange.stepsBeforeReport)
        var report = try exchange.take()
        perform(exchange.stepsAfterReport)
        report.by = .endingService
        report.end = exchange.wasEverConnected ? .stopped : .stoppedOffline
        return report
    }

    private func begin() throws {
        try sources.watchFiles(folder)
        do {
            try sources.watchNetwork()
        } catch {
            let obstacle = ServiceObstacle.networkUnwatched("\(error)")
            reports.remark(.networkUnwatched(why: reports.wording.text(of: obstacle)))
        }
        journal.begin()
    }

    private func work() async {
        handle(.begun)
        takeRequests()
        reports.send(.ready)
        // Without a sign-in the service may be over before the first input.
        while state == .running { take(await inputs.next()) }
    }
}

// MARK: - Events and actions

extension SyncService {
    private func take(_ input: ServiceInput) {
        switch input {
        case .event(let event): handle(event)
        case .replicator(let status, let number): note(status, number: number)
        case .requestsCame: takeRequests()
        case .alarm(let number): if sources.isLatest(number) { handle(.timeIsUp) }
        case .proveLife: reports.send(.alive)
        }
    }

    /// The consequences of an event are handled before the next input.
    private func handle(_ event: ServicePolicy.Event) {
        var events = [event]
        while !events.isEmpty {
            for action in policy.handle(events.removeFirst()) {
                if let event = perform(action) { events.append(event) }
            }
        }
    }

    /// - Returns: the event that follows at once.
    private func perform(_ action: ServicePolicy.Action) -> ServicePolicy.Event? {
        switch action {
        case .readSignIn: return .signInRead(exchange.readSignIn())
        case .start(let resets): return exchange.start(resets: resets)
        case .check: exchange.check()
        case .stop: exchange.stop()
        case .report(let state): report(state)
        case .answer(let requests, let outcome): answer(requests, outcome: outcome)
        case .remark(let remark): reports.remark(remark)
        case .wake(let duration): sources.wake(after: duration)
        case .beginReload: reports.send(.reloading)
        case .endReload: reports.send(.ready)
        case .expectEnd: expectEnd()
        case .end: state = .ended
        }
        return nil
    }

    private func expectEnd() {
        reports.send(.stopping)
        sources.send(.event(.stopOverdue), after: ServiceLimits.stopping)
    }

    private func note(_ status: Replicator.Status, number: Int) {
        let isUnderWay = policy.state.activity == .exchanging
        guard let news = exchange.note(status, number: number, isUnderWay: isUnderWay) else { return }
        if news.activity == .idle {
            journal.noteClock(exchange.secondsAhead)
            reportExchanged()
        }
        handle(.replicator(news))
    }
}

// MARK: - Reporting

extension SyncService {
    private func report(_ state: ServiceState) {
        var state = state
        if state.activity == .idle { state.refused = refused() }
        journal.report(state, gateway: exchange.gateway)
    }

    private func reportExchanged() {
        perform(exchange.stepsBeforeReport)
        do {
            journal.exchanged(try exchange.take())
        } catch {
            reports.remark(error)
        }
        perform(exchange.stepsAfterReport)
    }

    /// An error here must not prevent the report of the exchange.
    private func perform(_ steps: [() throws -> Void]) {
        for step in steps {
            do { try step() } catch { reports.remark(error) }
        }
    }

    private func takeRequests() {
        do {
            let taken = try folder.takeRequests()
            if !taken.unreadable.isEmpty { refuse(taken.unreadable) }
            guard !taken.requests.isEmpty else { return }
            reportExchanged()
            journal.noteRequest()
            for request in taken.requests { handle(.syncAsked(request)) }
        } catch {
            reports.remark(.requestsUnreadable(why: reports.wording.text(of: error)))
        }
    }

    private func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome) {
        reportExchanged()
        do {
            journal.answer(requests, outcome: outcome, refused: try exchange.refused())
        } catch {
            reports.remark(error)
            journal.answer(requests, outcome: .failed(reports.wording.text(of: error)), refused: OutboxCount())
        }
    }

    /// - Parameter ids: of requests that cannot be read.
    private func refuse(_ ids: [String]) {
        let why = reports.wording.text(of: ServiceObstacle.requestUnreadable)
        reports.remark(.requestsUnreadable(why: why))
        journal.refuse(ids, why: why)
    }

    /// How many records are in the outbox; `nil`, with a remark, if that cannot be read.
    private func refused() -> Int? {
        do {
            return try exchange.refused().records
        } catch {
            reports.remark(error)
            return nil
        }
    }
}
