import DocumentStore
import FieldRecords
import Foundation
import Glibc
import Replication
import ServiceLifecycle
import Synchronization

/// One run of the replicator: shows what it does, and tells what it did.
struct SyncRun {
    let session: ShellSession
    let configuration: ReplicatorConfiguration

    /// Ends by itself, or, when continuous, with the program; and with Ctrl-C.
    ///
    /// - Throws: what it stopped with, after everything that was done until then has been told.
    func run(resets: Bool) async throws -> SyncReport {
        let field = try session.field()
        let recorder = SyncRecorder()
        let replicator = Replicator(config: configuration)
        let tokens = [
            replicator.addDocumentReplicationListener { recorder.add($0) },
            replicator.addConflictListener { _ in recorder.addConflict() },
        ]
        defer { tokens.forEach { $0.remove() } }
        let stop = StopRequest()
        let interrupt = session.stopsOnInterrupt ? stopOnInterrupt(of: replicator, stop) : nil
        defer { interrupt?.remove() }
        var log = SyncLog(
            session: session, recorder: recorder, keptBefore: try field.quarantine().count,
            isContinuous: configuration.continuous)
        let changes = replicator.statusChanges()
        try await withGracefulShutdownHandler {
            replicator.start(reset: resets)
            if Task.isCancelled || Task.isShuttingDownGracefully { stop.make(of: replicator) }
            for await change in changes {
                try log.note(change.status)
                if log.hasTriedEnough { replicator.stop() }
                if change.status.activity == .stopped { break }
            }
        } onGracefulShutdown: {
            stop.make(of: replicator)
        }
        session.meter.finish()
        let report = try log.finalReport(wasStopped: stop.isMade)
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

/// Turns the replicator's states into what a person is told.
struct SyncLog {
    private let session: ShellSession
    private let recorder: SyncRecorder
    private let keptBefore: Int
    private let start = ContinuousClock.now
    private var toldKept = 0
    private let isContinuous: Bool
    private var isConnected = false
    private var wasEverConnected = false
    private var isOfflineTold = false
    private var tries: UInt = 0
    /// Why it is not connected, or ended.
    private(set) var failure: (any Error)?

    init(session: ShellSession, recorder: SyncRecorder, keptBefore: Int, isContinuous: Bool) {
        self.session = session
        self.recorder = recorder
        self.keptBefore = keptBefore
        self.isContinuous = isContinuous
    }

    /// A gateway that lets one in and then answers that it cannot go on would be tried for ever.
    var hasTriedEnough: Bool { !isContinuous && tries >= ShellLimits.syncAttempts }

    mutating func note(_ status: Replicator.Status) throws {
        switch status.activity {
        case .busy:
            tellConnected()
            // Without a total: it grows while the gateway tells what there is.
            if status.progress.completed > 0 {
                session.meter.update("records", completed: status.progress.completed, total: nil)
            }
        case .idle:
            tellConnected()
            failure = nil
            session.meter.finish()
            if isContinuous { try tellNews() }
        case .offline:
            isConnected = false
            tries += 1
            failure = status.error ?? failure
            tellOffline(status.error)
        case .connecting: isConnected = false
        case .stopped: failure = status.error ?? (hasTriedEnough ? failure : nil)
        }
    }

    private mutating func tellConnected() {
        wasEverConnected = true
        if isContinuous, !isConnected { session.dialogue.tell("Connected.") }
        isConnected = true
        isOfflineTold = false
    }

    /// Once, however often the gateway is tried again. What runs once tells it at its end.
    private mutating func tellOffline(_ error: (any Error)?) {
        guard isContinuous, !isOfflineTold else { return }
        isOfflineTold = true
        session.meter.finish()
        if let error { session.dialogue.tell(ErrorWords.text(error)) }
        session.dialogue.tell("Offline. Your records are safe here; it goes on when the gateway is back.")
    }

    private mutating func tellNews() throws {
        let report = try takeReport()
        if !report.isEmpty { session.emit(.synced(report)) }
    }

    mutating func finalReport(wasStopped: Bool) throws -> SyncReport {
        var report = try takeReport()
        if wasStopped { report.end = wasEverConnected ? .stopped : .stoppedOffline }
        report.refused = try session.field().refusedRecords().count
        return report
    }

    private mutating func takeReport() throws -> SyncReport {
        var report = recorder.take()
        let kept = try session.field().quarantine().count - keptBefore
        report.quarantined = max(0, kept - toldKept)
        toldKept = max(toldKept, kept)
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }
}
