import DocumentStore
import FieldRecords
import Foundation
import Replication
import ServiceLifecycle

/// One run of the replicator: shows what it does, and tells what it did.
struct SyncRun {
    let session: ShellSession
    let configuration: ReplicatorConfiguration

    /// Ends by itself, or, when continuous, with the program.
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
        var log = SyncLog(session: session, recorder: recorder, keptBefore: try field.quarantine().count)
        let changes = replicator.statusChanges()
        let end = try await withGracefulShutdownHandler {
            replicator.start(reset: resets)
            if Task.isCancelled || Task.isShuttingDownGracefully { replicator.stop() }
            return try await follow(changes, &log)
        } onGracefulShutdown: {
            replicator.stop()
        }
        session.meter.finish()
        let report = try log.finalReport()
        if let error = end?.error {
            if !report.isEmpty { session.emit(.synced(report)) }
            throw error
        }
        return report
    }

    private func follow(
        _ changes: AsyncStream<ReplicatorChange>, _ log: inout SyncLog
    ) async throws -> Replicator.Status? {
        for await change in changes {
            try log.note(change.status, isContinuous: configuration.continuous)
            if change.status.activity == .stopped { return change.status }
        }
        return nil
    }
}

/// Turns the replicator's states into what a person is told.
struct SyncLog {
    private let session: ShellSession
    private let recorder: SyncRecorder
    private let keptBefore: Int
    private let start = ContinuousClock.now
    private var toldKept = 0
    private var isConnected = false
    private var isOfflineTold = false

    init(session: ShellSession, recorder: SyncRecorder, keptBefore: Int) {
        self.session = session
        self.recorder = recorder
        self.keptBefore = keptBefore
    }

    mutating func note(_ status: Replicator.Status, isContinuous: Bool) throws {
        switch status.activity {
        case .busy:
            tellConnected(isContinuous)
            if status.progress.total > 0 {
                session.meter.update(
                    "records", completed: status.progress.completed, total: status.progress.total)
            }
        case .idle:
            tellConnected(isContinuous)
            session.meter.finish()
            if isContinuous { try tellNews() }
        case .offline:
            isConnected = false
            tellOffline(status.error)
        case .connecting: isConnected = false
        case .stopped: break
        }
    }

    private mutating func tellConnected(_ isContinuous: Bool) {
        if isContinuous, !isConnected { session.dialogue.tell("Connected.") }
        isConnected = true
        isOfflineTold = false
    }

    /// Once, however often the gateway is tried again.
    private mutating func tellOffline(_ error: (any Error)?) {
        guard !isOfflineTold else { return }
        isOfflineTold = true
        session.meter.finish()
        if let error { session.dialogue.tell(ErrorWords.text(error)) }
        session.dialogue.tell("Offline. Your records are safe here; it goes on when the gateway is back.")
    }

    private mutating func tellNews() throws {
        let report = try takeReport()
        if !report.isEmpty { session.emit(.synced(report)) }
    }

    mutating func finalReport() throws -> SyncReport { try takeReport() }

    private mutating func takeReport() throws -> SyncReport {
        var report = recorder.take()
        let kept = try session.field().quarantine().count - keptBefore
        report.quarantined = max(0, kept - toldKept)
        toldKept = max(toldKept, kept)
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }
}
