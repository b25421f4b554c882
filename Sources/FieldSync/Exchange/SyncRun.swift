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
        // Before the report is made: it would list these records as deleted.
        let returned = try bringBackClaimedRecords(after: log)
        var taken = try take(&tally, after: log)
        if log.failure == nil, !stop.isAsked {
            let isSettled = try settleRefusals(in: &taken)
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

    /// Prepares refused records for another exchange, if there is another way to send them. So the user need not be notified
    /// of the refusal, nor request another sync. If no record was refused, nothing has changed since the preparation before
    /// the first exchange.
    ///
    /// - Returns: whether any record can be sent in another way.
    private func settleRefusals(in taken: inout SyncReport) throws -> Bool {
        guard taken.failures.contains(where: \.isPush) else { return false }
        let settled = try environment.field.outbox.settleUnasked(by: environment.author())
        taken.forgetRefusals(of: Set(settled))
        return !settled.isEmpty
    }

    /// - Returns: the number of records. After a failure none: the failure is reported first, and the next sync
    ///   restores them.
    private func bringBackClaimedRecords(after log: SyncLog) throws -> Int {
        guard log.failure == nil, log.wasEverConnected, !stop.isAsked else { return 0 }
        return try environment.field.deletions.bringBackClaimed(by: environment.author())
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
        let field = environment.field
        try field.deletions.forgetReturned()
        report.secondsAhead = ClockCheck.secondsAhead(laptop: environment.now(), date: replicator.gatewayDate)
        // The next sync sends these restored and deleted findings.
        if log.wasEverConnected { try field.deletions.bringBackTiedFindings(by: environment.author()) }
        if ClockCheck.isRight(laptop: environment.now(), date: replicator.gatewayDate) {
            try field.deletions.deleteFindingsOfDeletedInspections(by: environment.author())
        }
        report.note(try OutboxCount.waiting(in: field))
        if stop.isAsked { report.end = log.wasEverConnected ? .stopped : .stoppedOffline }
        // After a partial exchange, findings that have not come yet would look as if they were deleted.
        if stop.isAsked || log.failure != nil { report.records.changedApprovals = [] }
        return report
    }
}
