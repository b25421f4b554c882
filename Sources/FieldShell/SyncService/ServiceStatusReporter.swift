import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Glibc

/// The service's voice: what it reports to systemd, the shells, and anybody who reads its output.
final class ServiceStatusReporter {
    let notifier: SystemdNotifier?
    private let session: ShellSession
    private let folder: ServiceFolder
    private let isAttended: Bool
    private let clock = ContinuousClock()
    private var notes: SyncNotes
    private var service = SyncNotes.Service(process: getpid(), state: ServiceState(.starting), since: 0)
    private var written: ContinuousClock.Instant?
    private var lastRemark: String?
    /// For those who ask: what was exchanged since the first of them did.
    private var sinceAsked = SyncReport()
    private var asked = ContinuousClock.now

    init(_ session: ShellSession, folder: ServiceFolder, notifier: SystemdNotifier?, isAttended: Bool) {
        self.session = session
        self.folder = folder
        self.notifier = notifier
        self.isAttended = isAttended
        notes = folder.notes()
    }

    /// Once the folder is ours.
    func begin() {
        notes = folder.notes()
        service.since = now
        write()
        notify(.status(service.state.line))
    }

    // MARK: systemd

    func notify(_ message: SystemdNotifier.Message) {
        guard let notifier else { return }
        do {
            try notifier.send(message)
        } catch {
            remark("\(error)")
        }
    }

    // MARK: States

    /// - Parameter gateway: whose state it is.
    func report(_ state: ServiceState, gateway: URL?) {
        let old = service.state
        if state.activity == .idle || old.activity == .idle {
            notes.lastExchange = now
            notes.gateway = gateway?.absoluteString
        }
        service.state = state
        if old.activity != state.activity || old.why != state.why {
            service.since = old.activity == state.activity ? service.since : now
        } else if let written, clock.now - written < ServiceLimits.progressInterval {
            return showProgress(state)
        }
        write()
        notify(.status(state.line))
        showProgress(state)
        announce(state, after: old)
    }

    /// - Parameter secondsAhead: by how much this laptop's clock is ahead of the gateway's; `nil` where they agree.
    func noteClock(_ secondsAhead: Int64?) {
        notes.secondsAhead = secondsAhead
        if let secondsAhead { remark(ServiceText.clockWarning(secondsAhead: secondsAhead)) }
    }

    private func showProgress(_ state: ServiceState) {
        if state.activity != .exchanging {
            session.meter.finish()
        } else if state.completed > 0 {
            // Without a total: it grows while the gateway announces what there is.
            session.meter.update("records", completed: state.completed, total: nil)
        }
    }

    /// Once for each stretch of it, however often the gateway is tried again.
    private func announce(_ state: ServiceState, after old: ServiceState) {
        if state.isConnected, !old.isConnected { session.dialogue.show("Connected.") }
        guard let why = state.why, !isAttended || state.activity == .offline, why != old.why else { return }
        switch state.activity {
        case .offline where old.activity != .offline:
            session.dialogue.show(why)
            session.dialogue.show("Offline. Your records are safe here; it goes on when the gateway is back.")
        case .waiting:
            session.dialogue.show(why)
            session.dialogue.show(
                "Waiting. Your records are safe here; it is tried again after a new sign-in, with another network, "
                    + "and now and then.")
        case .starting, .connecting, .exchanging, .idle, .offline, .stopping, .stopped: break
        }
    }

    /// Something that is no state; the same thing once.
    func remark(_ text: String) {
        guard text != lastRemark else { return }
        lastRemark = text
        session.meter.finish()
        session.dialogue.show(text)
    }

    // MARK: What was exchanged

    func reportNews(_ report: SyncReport) {
        guard !report.isEmpty else { return }
        sinceAsked.add(report)
        session.meter.finish()
        session.emit(.synced(report))
    }

    func recount() {
        sinceAsked = SyncReport()
        asked = clock.now
    }

    func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome, refused: Int) {
        var report = sinceAsked
        report.by = .service
        report.secondsAhead = notes.secondsAhead
        report.refused = refused
        report.milliseconds = Int((clock.now - asked) / .milliseconds(1))
        report.failures = Array(report.failures.prefix(ServiceLimits.failuresPerAnswer))
        var failure: String?
        if case .failed(let why) = outcome { failure = why }
        service.answers += requests.map { SyncNotes.Answer(id: $0.id, report: report, failure: failure) }
        service.answers.removeFirst(max(0, service.answers.count - ServiceLimits.answers))
        recount()
        write()
    }

    private var now: Int64 { session.environment.now().secondsSince1970 }

    private func write() {
        notes.service = service
        written = clock.now
        do {
            try folder.write(notes)
        } catch {
            remark("The shells cannot be notified of the progress: \(ErrorText.text(error))")
        }
    }
}
