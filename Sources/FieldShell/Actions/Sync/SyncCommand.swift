import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// Exchanges records with the gateway: once, or until the user ends it.
struct SyncCommand {
    let session: ShellSession

    // Inlined into `CommandRunner`, it makes the optimizer of Swift 6.3 crash.
    @inline(never)
    func run(_ options: SyncOptions) async throws -> SyncReport {
        var settings = try session.settings()
        if let photos = options.photos, photos != settings.photos {
            settings.photos = photos
            try settings.save(in: session.folder)
        }
        return options.isContinuous
            ? try await ContinuousSync(session: session).run(options) : try await syncOnce(options)
    }

    private func syncOnce(_ options: SyncOptions) async throws -> SyncReport {
        let sync = FolderSync(of: session.folder) { [session] in
            try session.signInSource(passwordFile: options.passwordFile)
        }
        do {
            let report = try await watched(sync, resets: options.resets)
            try ConflictNotices(session: session).note(report)
            session.noticed.returns.note(report)
            _ = session.noticed.news.new(in: ServiceFolder(of: session.folder))
            // This sync has named the present changes.
            if let user = try session.settings().user {
                _ = try session.noticed.newChanges(in: session.field(), of: user)
                _ = try session.noticed.newDeletions(in: session.field(), of: user)
            }
            return report
        } catch let problem as SyncProblem {
            throw emitted(problem)
        }
    }

    private func watched(_ sync: FolderSync, resets: Bool) async throws -> SyncReport {
        let stop = SyncStop()
        let gateway = try session.settings().gateway
        var interrupt: Interrupts.Token?
        defer { interrupt?.remove() }
        return try await sync.run(resets: resets, stop: stop) { [session] progress in
            switch progress {
            case .begun(let performer):
                if performer == .service { session.dialogue.show("The sync service runs; it syncs now.") }
                if session.use.stopsOnInterrupt { interrupt = stop.askOnInterrupt() }
            case .trying:
                if session.use.stopsOnInterrupt, session.dialogue.isInteractive {
                    session.dialogue.show(SyncProgressText.trying(gateway))
                }
            case .exchanged(let records): session.meter.update("records", completed: records, total: nil)
            case .photos(let photos): session.meter.update(photos)
            case .unanswered(let seconds):
                session.meter.finish()
                session.dialogue.show(SyncProgressText.silence(of: gateway, seconds: seconds))
            case .idle: session.meter.finish()
            }
        }
    }

    /// Shows first the work that was done in spite of it.
    private func emitted(_ problem: SyncProblem) -> any Error {
        switch problem {
        case .failed(let cause, let report):
            if !report.isEmpty { session.emit(.synced(report)) }
            return GatewayUnreached(
                cause: cause, advice: "Your records are safe here; sync again when there is a network.")
        case .refusedByService(_, _, let report):
            if !report.isEmpty { session.emit(.synced(report)) }
            return problem
        case .notAwaited: return Stopped(ErrorText.text(problem))
        case .folderIsBusy, .serviceRuns, .serviceHasRun, .serviceEnded, .serviceDoesNotAnswer: return problem
        }
    }
}
