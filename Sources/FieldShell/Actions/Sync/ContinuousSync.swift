import FieldRecords
import FieldSync

/// The sync service, until it is ended.
struct ContinuousSync {
    let session: ShellSession

    func run(_ options: SyncOptions) async throws -> SyncReport {
        let isAttended = session.use.stopsOnInterrupt
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
