import FieldModels
import FieldRecords
import Foundation
import Glibc

/// The service's notes in its folder for other programs: its state, and the answers to requests. Changes of them are
/// reported, too.
final class ServiceJournal {
    private let environment: SyncEnvironment
    private let folder: ServiceFolder
    private let reports: ServiceReports
    private var clock = Clock.noted(secondsAhead: nil)
    /// The exchange that the next write has to note. It is written once, because another sync may have noted a later
    /// one since.
    private var exchange: (moment: Int64, gateway: String?)?
    private var service = SyncNotes.Service(process: getpid(), state: ServiceState(.starting), since: 0)
    private var written: ContinuousClock.Instant?
    /// `nil` while there is no request: otherwise the counts would grow for months.
    private var asked: Asked?

    /// By how much the laptop's clock is ahead of the gateway's, as far as is known; `nil` if they agree.
    private enum Clock {
        /// The value of the notes.
        case noted(secondsAhead: Int64?)
        /// They were compared since; the next write notes the result, once.
        case compared(secondsAhead: Int64?)

        var secondsAhead: Int64? {
            switch self {
            case .noted(let seconds), .compared(let seconds): seconds
            }
        }
    }

    /// For waiting requests: the report since the first of them.
    private struct Asked {
        let since = ContinuousClock.now
        var report = SyncReport()
    }

    init(_ folder: ServiceFolder, environment: SyncEnvironment, reports: ServiceReports) {
        self.folder = folder
        self.environment = environment
        self.reports = reports
    }

    /// Call it once the service has the folder's lock.
    func begin() {
        let notes = folder.notes()
        clock = .noted(secondsAhead: notes.secondsAhead)
        service.news = notes.service?.news ?? []
        service.since = now
        write()
        reports.send(.state(service.state, after: service.state))
    }

    /// - Parameter gateway: the gateway of the exchange.
    func report(_ state: ServiceState, gateway: URL?) {
        var state = state
        state.why = state.why.map { $0.shortened(toBytes: ServiceLimits.reason) }
        let old = service.state
        // If a new exchange begins, everything was exchanged until then. A lost connection does not show that: it may
        // have been dead for long, while the laptop slept.
        if state.activity == .idle || (old.activity == .idle && state.activity == .exchanging) {
            exchange = (now, gateway?.absoluteString)
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
        clock = .compared(secondsAhead: secondsAhead)
        if let secondsAhead { reports.remark(.clock(secondsAhead: secondsAhead)) }
    }

    /// Adds the report since the last call.
    func exchanged(_ report: SyncReport) {
        guard !report.isEmpty else { return }
        asked?.report.add(report)
        if let news = report.news {
            service.news.append(SyncNotes.News(number: (service.news.last?.number ?? 0) + 1, report: news))
            service.news.removeFirst(max(0, service.news.count - ServiceLimits.news))
            write()
        }
        reports.send(.exchanged(report))
    }

    /// A request waits for an answer from now on. Earlier exchanges do not belong to it.
    func noteRequest() {
        if asked == nil { asked = Asked() }
    }

    /// Answers all waiting requests.
    ///
    /// - Parameter refused: how many records are in the outbox.
    func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome, refused: OutboxCount) {
        let asked = asked ?? Asked()
        self.asked = nil
        var report = asked.report
        report.note(refused)
        report.milliseconds = Int((ContinuousClock.now - asked.since) / .milliseconds(1))
        var failure: AdvisedText?
        if case .failed(let why) = outcome { failure = why }
        answer(requests.map(\.id), report: report, failure: failure)
    }

    /// Answers unreadable requests; others go on waiting.
    func refuse(_ ids: [String], why: AdvisedText) { answer(ids, report: SyncReport(), failure: why) }

    private func answer(_ ids: [String], report: SyncReport, failure: AdvisedText?) {
        var report = report
        report.by = .service
        report.secondsAhead = clock.secondsAhead
        let failure = failure.map { $0.shortened(toBytes: ServiceLimits.reason) }
        service.answers += ids.map { SyncNotes.Answer(id: $0, report: report, failure: failure).fitted }
        service.answers.removeFirst(max(0, service.answers.count - ServiceLimits.answers))
        write()
    }

    private var now: Int64 { environment.now().secondsSince1970 }

    private func write() {
        written = .now
        do {
            try folder.change { notes in
                notes.service = service
                if let exchange {
                    notes.lastExchange = exchange.moment
                    notes.gateway = exchange.gateway
                }
                if case .compared(let seconds) = clock { notes.secondsAhead = seconds }
            }
            exchange = nil
            clock = .noted(secondsAhead: clock.secondsAhead)
        } catch {
            reports.remark(.statusUnwritten(why: environment.wording.text(of: error)))
        }
    }
}

extension SyncNotes.Answer {
    fileprivate var fitted: SyncNotes.Answer {
        var answer = self
        answer.report = report?.fitted(naming: ServiceLimits.namedPerAnswer, bytes: ServiceLimits.answerSize)
        return answer
    }
}
