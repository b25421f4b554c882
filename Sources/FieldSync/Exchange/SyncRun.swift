import Dispatch
import DocumentStore
import FieldRecords
import Replication
import ServiceLifecycle

/// One sync in this process: exchanges records with the gateway, shows the replicator's progress, and returns the
/// report.
struct SyncRun {
    let environment: SyncEnvironment
    let configuration: ReplicatorConfiguration
    let stop: SyncStop
    let show: (SyncProgress) -> Void

    /// Returns after the replicator has stopped: by itself, on request, or because the program ends or the task is
    /// cancelled.
    ///
    /// - Throws: `SyncProblem` with the error by which the exchange ended.
    func run(resets: Bool) async throws -> SyncReport {
        try environment.prepareExchange()
        var tally = try SyncTally(environment)
        let replicator = Replicator(config: configuration)
        let tokens = tally.listen(to: replicator)
        defer { tokens.forEach { $0.remove() } }
        show(.begun(by: .command))
        var log = await exchange(replicator, resets: resets)
        let returned = try bringBackClaimedRecords(after: log, of: replicator)
        var taken = try take(&tally, after: log)
        if log.failure == nil, !stop.isAsked {
            let isSettled = try settleRefusals(in: &taken, after: log, of: replicator)
            if returned > 0 || isSettled || !taken.records.followed.isEmpty {
                log = await exchange(replicator, resets: false)
                taken.add(try take(&tally, after: log))
            }
        }
        show(.idle)
        let report = try report(taken, of: replicator, log: log)
        if let error = log.failure, !stop.isAsked { throw SyncProblem.failed(error, report: report) }
        return report
    }

    private func followUp(of log: SyncLog, with replicator: Replicator) -> ExchangeFollowUp {
        ExchangeFollowUp(
            environment: environment, isConnected: log.wasEverConnected, gatewayDate: replicator.gatewayDate)
    }

    /// Another exchange follows if any record can be sent in another way, so that the user need not request it. If no record
    /// was refused, nothing has changed since the preparation before the first exchange.
    ///
    /// - Returns: whether there is any.
    private func settleRefusals(
        in taken: inout SyncReport, after log: SyncLog, of replicator: Replicator
    ) throws -> Bool {
        guard taken.failures.contains(where: \.isPush) else { return false }
        let settled = try followUp(of: log, with: replicator).settleRefusals()
        taken.forgetRefusals(of: Set(settled))
        return !settled.isEmpty
    }

    /// - Returns: the number of records. After a failure none: the failure is reported first, and the next sync
    ///   restores them.
    private func bringBackClaimedRecords(after log: SyncLog, of replicator: Replicator) throws -> Int {
        guard log.failure == nil, !stop.isAsked else { return 0 }
        return try followUp(of: log, with: replicator).bringBackClaimedRecords()
    }

    /// - Throws: the error of the exchange, even if its report fails as well.
    private func take(_ tally: inout SyncTally, after log: SyncLog) throws -> SyncReport {
        do {
            return try tally.take()
        } catch {
            guard let failure = log.failure, !stop.isAsked else { throw error }
            throw SyncProblem.failed(failure, report: SyncReport())
        }
    }

    private enum News: Sendable {
        case status(Replicator.Status)
        case silence(seconds: Int64)
        /// The connection to the gateway is taking some seconds.
        case delay
    }

    private func exchange(_ replicator: Replicator, resets: Bool) async -> SyncLog {
        var log = SyncLog(show)
        let news = Inbox<News>()
        let tokens = [
            replicator.addChangeListener { news.put(.status($0.status)) },
            replicator.addSilenceListener { news.put(.silence(seconds: $0)) },
        ]
        defer { tokens.forEach { $0.remove() } }
        let timer = alarm { news.put(.delay) }
        defer { timer.cancel() }
        await withTaskCancellationOrGracefulShutdownHandler {
            replicator.start(reset: resets)
            stop.whenAsked { replicator.stop() }
            var activity = Replicator.ActivityLevel.connecting
            while activity != .stopped {
                switch await news.next() {
                case .status(let status):
                    log.note(status)
                    if log.hasTriedEnough { replicator.stop() }
                    activity = status.activity
                case .silence(let seconds): show(.unanswered(seconds: seconds))
                case .delay: log.noteDelay()
                }
            }
        } onCancelOrGracefulShutdown: { [stop] in
            stop.ask()
        }
        return log
    }

    private func alarm(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "fieldbook.sync-run"))
        timer.schedule(deadline: .now() + ServiceLimits.delayNotice)
        timer.setEventHandler(handler: body)
        timer.activate()
        return timer
    }

    private func report(_ taken: SyncReport, of replicator: Replicator, log: SyncLog) throws -> SyncReport {
        var report = taken
        report.secondsAhead = ClockCheck.secondsAhead(laptop: environment.now(), date: replicator.gatewayDate)
        report.lacking = try environment.field.kindsHere(amongMissing: replicator.missingCollections)
        let followUp = followUp(of: log, with: replicator)
        try followUp.forgetReturned()
        try followUp.bringBackTiedFindings()
        try followUp.deleteOldFindings()
        report.note(try OutboxCount.waiting(in: environment.field))
        if stop.isAsked { report.end = log.wasEverConnected ? .stopped : .stoppedOffline }
        // After a partial exchange, findings that have not come yet would look as if they were deleted.
        if stop.isAsked || log.failure != nil { report.records.changedApprovals = [] }
        return report
    }
}
