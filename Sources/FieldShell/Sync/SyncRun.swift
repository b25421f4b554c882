import DocumentStore
import FieldRecords
import FieldSync
import Foundation
import Glibc
import Replication
import ServiceLifecycle
import Synchronization

/// One exchange with the gateway: shows what the replicator does, and reports what it did.
struct SyncRun {
    let session: ShellSession
    let configuration: ReplicatorConfiguration

    /// Ends by itself, with the program, and with Ctrl-C.
    ///
    /// - Throws: what it stopped with, after everything that was done until then has been reported.
    func run(resets: Bool) async throws -> SyncReport {
        let field = try session.field()
        try field.forgetDeletionsOfNewRecords()
        var tally = try SyncTally(session.syncEnvironment())
        let replicator = Replicator(config: configuration)
        let tokens = tally.listen(to: replicator)
        defer { tokens.forEach { $0.remove() } }
        let stop = StopRequest()
        let interrupt = session.stopsOnInterrupt ? stopOnInterrupt(of: replicator, stop) : nil
        defer { interrupt?.remove() }
        var log = SyncLog(session.meter)
        let changes = replicator.statusChanges()
        await withGracefulShutdownHandler {
            replicator.start(reset: resets)
            if Task.isCancelled || Task.isShuttingDownGracefully { stop.make(of: replicator) }
            for await change in changes {
                log.note(change.status)
                if log.hasTriedEnough { replicator.stop() }
                if change.status.activity == .stopped { break }
            }
        } onGracefulShutdown: {
            stop.make(of: replicator)
        }
        session.meter.finish()
        var report = try tally.take()
        try field.forgetReturnedRecords()
        report.secondsAhead = ClockCheck.secondsAhead(
            laptop: session.environment.now(), date: replicator.gatewayDate)
        report.refused = try field.unsettledRefusals().count
        if stop.isMade { report.end = log.wasEverConnected ? .stopped : .stoppedOffline }
        // Findings that have not come yet look as if they were gone.
        if stop.isMade || log.failure != nil { report.changedApprovals = [] }
        if let error = log.failure, !stop.isMade {
            if !report.isEmpty { session.emit(.synced(report)) }
            throw GatewayUnreached(
                cause: error, advice: "Your records are safe here; sync again when there is a network.")
        }
        return report
    }
}

extension SyncRun {
    private func stopOnInterrupt(of replicator: Replicator, _ stop: StopRequest) -> Interrupts.Token {
        Interrupts.shared.handle {
            // Behind the ^C that the terminal has just shown.
            Terminal.write("\n", to: STDERR_FILENO)
            stop.make(of: replicator)
        }
    }
}

/// Somebody wants the sync to end.
private final class StopRequest: Sendable {
    private let made = Atomic(false)

    var isMade: Bool { made.load(ordering: .acquiring) }

    func make(of replicator: Replicator) {
        made.store(true, ordering: .releasing)
        replicator.stop()
    }
}

/// What the replicator's states come to.
private struct SyncLog {
    private let meter: any ProgressMeter
    private(set) var wasEverConnected = false
    private var tries: UInt = 0
    /// Why it is not connected, or ended.
    private(set) var failure: (any Error)?

    init(_ meter: any ProgressMeter) { self.meter = meter }

    /// A gateway that lets one in and then answers that it cannot go on would be tried for ever.
    var hasTriedEnough: Bool { tries >= ServiceLimits.syncAttempts }

    mutating func note(_ status: Replicator.Status) {
        switch status.activity {
        case .busy:
            wasEverConnected = true
            // Without a total: it grows while the gateway announces what there is.
            if status.progress.completed > 0 {
                meter.update("records", completed: status.progress.completed, total: nil)
            }
        case .idle:
            wasEverConnected = true
            failure = nil
            meter.finish()
        case .offline:
            tries += 1
            failure = status.error ?? failure
        case .connecting: break
        case .stopped: failure = status.error ?? (hasTriedEnough ? failure : nil)
        }
    }
}
