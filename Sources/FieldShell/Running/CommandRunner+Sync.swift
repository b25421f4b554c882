import DocumentValues
import FieldRecords
import FieldSync
import Foundation
import Glibc

/// Syncing: once, and until somebody ends it.
extension CommandRunner {
    // Inlined into `run`, it makes the optimizer of Swift 6.3 crash.
    @inline(never)
    func sync(_ options: SyncOptions) async throws -> SyncReport {
        _ = try session.settings()
        return options.isContinuous ? try await serve(options) : try await syncOnce(options)
    }

    // MARK: Once

    private func syncOnce(_ options: SyncOptions) async throws -> SyncReport {
        let sync = FolderSync(of: session.folder) { [session] in
            try session.signInSource(passwordFile: options.passwordFile)
        }
        do {
            let report = try await watched(sync, resets: options.resets)
            try session.noteConflicts(of: report)
            session.returnWatch.note(report)
            _ = session.newsWatch.new(in: ServiceFolder(of: session.folder))
            // This sync has named what there is now.
            if let user = try session.settings().user {
                _ = try session.changeWatch.new(in: session.field(), of: user)
                _ = try session.deletionWatch.new(in: session.field(), of: user)
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
                if session.stopsOnInterrupt { interrupt = Self.stopOnInterrupt(stop) }
            case .trying:
                if session.stopsOnInterrupt, session.dialogue.isInteractive {
                    session.dialogue.show(Self.trying(gateway))
                }
            case .exchanged(let records): session.meter.update("records", completed: records, total: nil)
            case .unanswered(let seconds):
                session.meter.finish()
                session.dialogue.show(Self.silence(of: gateway, seconds: seconds))
            case .idle: session.meter.finish()
            }
        }
    }

    /// Somebody who sees nothing for long does not know whether to wait.
    static func silence(of gateway: URL?, seconds: Int64) -> String {
        let address = gateway.map { " at \($0.absoluteString.printableLine)" } ?? ""
        return "The gateway\(address) has not answered for \(seconds) s; waiting. Stop with Ctrl-C."
    }

    /// `Trying gateway.example.org:4984 …`.
    static func trying(_ gateway: URL?) -> String {
        let port = gateway?.port.map { ":\($0)" } ?? ""
        let name = gateway?.host.map { $0 + port } ?? "the gateway"
        return "Trying \(name) … Ctrl-C stops. Your records are safe here.".printableLine
    }

    private static func stopOnInterrupt(_ stop: SyncStop) -> Interrupts.Token {
        Interrupts.shared.handle {
            // Behind the ^C that the terminal has just shown.
            Terminal.write("\n", to: STDERR_FILENO)
            stop.ask()
        }
    }

    /// Shows first what was done in spite of it.
    private func emitted(_ problem: SyncProblem) -> any Error {
        switch problem {
        case .failed(let cause, let report):
            if !report.isEmpty { session.emit(.synced(report)) }
            return GatewayUnreached(
                cause: cause, advice: "Your records are safe here; sync again when there is a network.")
        case .refusedByService(_, _, let report):
            if !report.isEmpty { session.emit(.synced(report)) }
            return problem
        case .notAwaited: return Stopped(problem.text)
        case .folderIsBusy, .serviceRuns, .serviceHasRun, .serviceEnded, .serviceDoesNotAnswer: return problem
        }
    }

    // MARK: Until somebody ends it

    private func serve(_ options: SyncOptions) async throws -> SyncReport {
        let isAttended = session.stopsOnInterrupt
        let shell = ShellReporter(session, isAttended: isAttended)
        let notifier = isAttended ? nil : SystemdNotifier(session.environment.variables)
        let systemd: [any ServiceReporting] =
            notifier.map { [SystemdReporter(notifier: $0, failed: shell.remark)] } ?? []
        let service = try SyncService(
            signIn: session.signInSource(passwordFile: options.passwordFile), isAttended: isAttended,
            resets: options.resets, reporters: systemd + [shell])
        let signals = ServiceSignals(service.control)
        defer { signals.cancel() }
        if isAttended { signals.catchInterrupt() } else { signals.catchHangUp() }
        if let interval = notifier?.watchdogInterval { signals.proveLife(within: interval) }
        return try await service.run()
    }
}
