import FieldSync

/// Passes the reports of the sync service on to systemd.
struct SystemdReporter: ServiceReporting {
    let notifier: SystemdNotifier
    /// Gets why systemd was not notified.
    let failed: (String) -> Void

    func report(_ event: ServiceEvent) {
        guard let message = Self.message(event) else { return }
        do {
            try notifier.send(message)
        } catch {
            failed("\(error)")
        }
    }

    static func message(_ event: ServiceEvent) -> SystemdNotifier.Message? {
        switch event {
        case .ready: .ready
        case .reloading: .reloading
        case .stopping: .stopping
        case .alive: .alive
        case .state(let state, _): .status(state.line)
        case .progress, .exchanged, .remark, .ended: nil
        }
    }
}
