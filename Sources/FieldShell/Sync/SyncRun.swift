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
    private var last: Replicator.ActivityLevel?

    init(session: ShellSession, recorder: SyncRecorder, keptBefore: Int) {
        self.session = session
        self.recorder = recorder
        self.keptBefore = keptBefore
    }

    mutating func note(_ status: Replicator.Status, isContinuous: Bool) throws {
        defer { last = status.activity }
        switch status.activity {
        case .busy:
            if status.progress.total > 0 {
                session.meter.update(
                    "records", completed: status.progress.completed, total: status.progress.total)
            }
        case .idle:
            session.meter.finish()
            if isContinuous { try tellNews(connected: last != .idle && last != .busy) }
        case .offline where last != .offline:
            session.meter.finish()
            let reason = status.error.map { " (\(ErrorWords.text($0)))" } ?? ""
            session.dialogue.tell("Offline\(reason). Your records are safe here; it goes on when the gateway is back.")
        case .offline, .connecting, .stopped: break
        }
    }

    private mutating func tellNews(connected: Bool) throws {
        if connected { session.dialogue.tell("Connected.") }
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
