import FieldSync

/// Shows the reports of the sync service to a person.
final class ShellReporter: ServiceReporting {
    private let session: ShellSession
    private let isAttended: Bool
    private var lastRemark: String?

    init(_ session: ShellSession, isAttended: Bool) {
        self.session = session
        self.isAttended = isAttended
    }

    func report(_ event: ServiceEvent) {
        switch event {
        case .state(let state, let old):
            showProgress(state)
            announce(state, after: old)
        case .progress(let state): showProgress(state)
        case .exchanged(let report):
            session.meter.finish()
            session.emit(.synced(report))
        case .remark(let remark): self.remark(ServiceText.remark(remark))
        case .ended: session.meter.finish()
        case .ready, .reloading, .stopping, .alive: break
        }
    }

    /// The same thing once.
    func remark(_ text: String) {
        guard text != lastRemark else { return }
        lastRemark = text
        session.meter.finish()
        session.dialogue.show(text)
    }

    private func showProgress(_ state: ServiceState) {
        if state.activity != .exchanging {
            session.meter.finish()
        } else if state.completed > 0 {
            // Without a total: it grows while the gateway announces further records.
            session.meter.update("records", completed: state.completed, total: nil)
        }
    }

    /// Once for each stretch of it, however often the gateway is tried again.
    private func announce(_ state: ServiceState, after old: ServiceState) {
        if state.isConnected, !old.isConnected { session.dialogue.show("Connected.") }
        guard let why = state.why, !isAttended || state.activity == .offline, why != old.why else { return }
        switch state.activity {
        case .offline where old.activity != .offline:
            session.dialogue.show(AdviceText.text(why))
            session.dialogue.show("Offline. Your records are safe here; it goes on when the gateway is back.")
        case .waiting:
            session.dialogue.show(AdviceText.text(why))
            session.dialogue.show(
                "Waiting. Your records are safe here; it is tried again after a new sign-in, with another network, "
                    + "and now and then.")
        case .starting, .connecting, .exchanging, .idle, .offline, .stopping, .stopped: break
        }
    }
}
