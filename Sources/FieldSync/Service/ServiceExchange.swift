import DocumentStore
import FieldRecords
import Foundation
import Replication
import SQLiteStorage

/// The service's exchange with the gateway: runs one replicator after the other, and collects their results.
final class ServiceExchange {
    private enum State {
        case notStarted
        case running(Run)
        /// The last replicator has ended.
        case stopped(Run)
    }

    /// One replicator, from its start to its end.
    private struct Run {
        let number: Int
        let replicator: Replicator
        let tokens: [ListenerToken]
        let identity: GatewayConnection.Identity
        let districts: ArrivingDistricts
        /// The replicator's counts when it last had nothing left to exchange; progress is reported relative to these.
        var base: (completed: UInt64, total: UInt64) = (0, 0)
    }

    /// The progress since the service began.
    private enum Reached: Comparable {
        case nothing
        case gateway
        /// The laptop's clock agreed with the gateway's, so the folder was tidied up, as by a sync.
        case tidyFolder
    }

    private let environment: SyncEnvironment
    private let folder: ServiceFolder
    private let signIn: SignInSource
    private let feed: ServiceSources.Feed
    private var state = State.notStarted
    /// Taken at the first start and kept, so that no other process exchanges this folder's records.
    private var lock: FileLock?
    private var tally: SyncTally
    private var reached = Reached.nothing
    /// Records that were refused since the last report and are sent in another way, so that the user need not be
    /// notified.
    private var settled: [RecordReference] = []
    /// The connection that was read last; a running replicator may have been started with another one.
    private var connection: GatewayConnection?
    /// The error that prevents an exchange; `nil` during one.
    private(set) var failure: (any Error)?

    init(_ folder: ServiceFolder, signIn: SignInSource, feed: @escaping ServiceSources.Feed) throws {
        environment = signIn.environment
        self.folder = folder
        self.signIn = signIn
        self.feed = feed
        tally = try SyncTally(environment)
    }

    /// The present or last replicator.
    private var run: Run? {
        switch state {
        case .notStarted: nil
        case .running(let run), .stopped(let run): run
        }
    }

    var wasEverConnected: Bool { reached != .nothing }

    // MARK: Decisions of the policy

    func readSignIn() -> ServicePolicy.SignIn {
        do {
            let connection = try signIn.read()
            self.connection = connection
            return .usable(isNew: connection.identity != run?.identity)
        } catch {
            // A running replicator can go on with its former sign-in.
            if running == nil { failure = error }
            return .unusable(environment.wording.text(of: error))
        }
    }

    /// - Returns: the event that prevents the start; `nil` after a start.
    func start(resets: Bool) -> ServicePolicy.Event? {
        do {
            if lock == nil { lock = try folder.takeExchangeLock() }
            guard lock != nil else { return .folderIsBusy }
            guard let connection else { return nil }
            if case .notStarted = state { try environment.prepareExchange() }
            let districts = try ArrivingDistricts(into: environment.field.store)
            var configuration = try connection.configuration(continuous: true, amid: districts)
            configuration.heartbeat = ServiceLimits.heartbeat
            try environment.field.signIn.noteFirst(owner: connection.credentials.user)
            start(
                Replicator(config: configuration), identity: connection.identity, amid: districts, resets: resets)
            return nil
        } catch {
            failure = error
            return .replicator(ServicePolicy.News(activity: .stopped, failure: environment.wording.text(of: error)))
        }
    }

    private func start(
        _ replicator: Replicator, identity: GatewayConnection.Identity, amid districts: ArrivingDistricts, resets: Bool
    ) {
        run?.tokens.forEach { $0.remove() }
        let number = (run?.number ?? 0) + 1
        let status = replicator.addChangeListener { [feed] in feed(.replicator($0.status, number: number)) }
        state = .running(
            Run(
                number: number, replicator: replicator, tokens: tally.listen(to: replicator) + [status],
                identity: identity, districts: districts))
        failure = nil
        replicator.start(reset: resets)
    }

    func check() { running?.replicator.checkConnection() }

    /// The end of the replicator is reported later, as a status.
    func stop() { running?.replicator.stop() }

    private var running: Run? {
        if case .running(let run) = state { run } else { nil }
    }

    // MARK: Reports of the replicator

    /// - Parameter isUnderWay: whether it was exchanging before.
    /// - Returns: the news; `nil` for a replicator that has been replaced.
    func note(_ status: Replicator.Status, number: Int, isUnderWay: Bool) -> ServicePolicy.News? {
        guard var run, run.number == number else { return nil }
        var news = ServicePolicy.News(status, failure: status.error.map(environment.wording.text))
        switch news.activity {
        case .exchanging, .idle:
            if reached == .nothing { reached = .gateway }
            failure = nil
            if !isUnderWay { tally.restartClock() }
        case .offline, .stopped: failure = status.error
        case .connecting: break
        }
        if news.activity == .idle {
            run.base = (news.completed, news.total)
            run.districts.settle()
        }
        state = news.activity == .stopped ? .stopped(run) : .running(run)
        news.completed -= min(news.completed, run.base.completed)
        news.total -= min(news.total, run.base.total)
        return news
    }

    /// The gateway of the present or last exchange; the user may have signed in at another one since.
    var gateway: URL? { run?.identity.gateway }

    /// The seconds by which this laptop's clock is ahead of the gateway's; `nil` if they agree.
    var secondsAhead: Int64? {
        ClockCheck.secondsAhead(laptop: environment.now(), date: run?.replicator.gatewayDate)
    }

    /// The number of refused records that need a decision.
    func refused() throws -> OutboxCount { try OutboxCount.waiting(in: environment.field) }

    func release() { lock?.release() }

    /// Returns the report on the exchange since the last call.
    func take() throws -> SyncReport {
        var report = try tally.take()
        report.forgetRefusals(of: Set(settled))
        settled = []
        report.lacking = try environment.field.kindsHere(amongMissing: run?.replicator.missingCollections ?? [])
        // If a purged district is granted again, its records are not news: it must not count as present any more.
        if !report.counts.purged.isEmpty { try run?.districts.look() }
        return report
    }

    // MARK: What follows an exchange

    private var followUp: ExchangeFollowUp {
        ExchangeFollowUp(
            environment: environment, isConnected: wasEverConnected, gatewayDate: run?.replicator.gatewayDate)
    }

    /// Each is a step by itself: an error in one keeps no other from being done.
    var stepsBeforeReport: [() throws -> Void] { [bringBackClaimedRecords, settleRefusals] }
    var stepsAfterReport: [() throws -> Void] { [bringBackTiedFindings, deleteOldFindings] }

    private func bringBackClaimedRecords() throws {
        guard lock != nil else { return }
        try followUp.bringBackClaimedRecords()
    }

    private func settleRefusals() throws {
        guard lock != nil else { return }
        settled += try followUp.settleRefusals()
    }

    private func bringBackTiedFindings() throws {
        guard lock != nil else { return }
        try followUp.bringBackTiedFindings()
    }

    /// Only once for a service: findings are deleted weeks after their inspection, so hours do not matter.
    private func deleteOldFindings() throws {
        guard reached == .gateway, try followUp.deleteOldFindings() else { return }
        reached = .tidyFolder
    }
}

extension ServicePolicy.News {
    fileprivate init(_ status: Replicator.Status, failure: AdvisedText?) {
        let activity: Activity =
            switch status.activity {
            case .stopped: .stopped
            case .offline: .offline
            case .connecting: .connecting
            case .idle: .idle
            case .busy: .exchanging
            }
        self.init(
            activity: activity, completed: status.progress.completed, total: status.progress.total, failure: failure)
    }
}
