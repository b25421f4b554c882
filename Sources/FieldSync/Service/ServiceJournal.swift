import FieldModels
import Foundation
import Glibc

/// What the service keeps in its folder for other programs to read: its state, and the answers to those that asked. What
/// changes there is reported, too.
final class ServiceJournal {
    private let environment: SyncEnvironment
    private let folder: ServiceFolder
    private let reports: ServiceReports
    private var notes = SyncNotes()
    private var service = SyncNotes.Service(process: getpid(), state: ServiceState(.starting), since: 0)
    private var written: ContinuousClock.Instant?
    /// For those that ask: what was exchanged since the first of them did.
    private var sinceAsked = SyncReport()
    private var asked = ContinuousClock.now

    init(_ folder: ServiceFolder, environment: SyncEnvironment, reports: ServiceReports) {
        self.folder = folder
        self.environment = environment
        self.reports = reports
    }

    /// Once the folder is ours.
    func begin() {
        notes = folder.notes()
        service.since = now
        write()
        reports.send(.state(service.state, after: service.state))
    }

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
        } else if let written, ContinuousClock.now - written < ServiceLimits.progressInterval {
            return reports.send(.progress(state))
        }
        write()
        reports.send(.state(state, after: old))
    }

    /// - Parameter secondsAhead: by how much this laptop's clock is ahead of the gateway's; `nil` where they agree.
    func noteClock(_ secondsAhead: Int64?) {
        notes.secondsAhead = secondsAhead
        if let secondsAhead { reports.remark(.clock(secondsAhead: secondsAhead)) }
    }

    /// What was exchanged since the last time.
    func exchanged(_ report: SyncReport) {
        guard !report.isEmpty else { return }
        sinceAsked.add(report)
        reports.send(.exchanged(report))
    }

    /// What came before belongs to nobody who asks now.
    func recount() {
        sinceAsked = SyncReport()
        asked = .now
    }

    /// - Parameter refused: how many records are in the outbox.
    func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome, refused: Int) {
        var report = sinceAsked
        report.by = .service
        report.secondsAhead = notes.secondsAhead
        report.refused = refused
        report.milliseconds = Int((ContinuousClock.now - asked) / .milliseconds(1))
        report.failures = Array(report.failures.prefix(ServiceLimits.failuresPerAnswer))
        var failure: String?
        if case .failed(let why) = outcome { failure = why }
        service.answers += requests.map { SyncNotes.Answer(id: $0.id, report: report, failure: failure) }
        service.answers.removeFirst(max(0, service.answers.count - ServiceLimits.answers))
        recount()
        write()
    }

    private var now: Int64 { environment.now().secondsSince1970 }

    private func write() {
        notes.service = service
        written = .now
        do {
            try folder.write(notes)
        } catch {
            reports.remark(.statusUnwritten(why: environment.wording.text(of: error)))
        }
    }
}
