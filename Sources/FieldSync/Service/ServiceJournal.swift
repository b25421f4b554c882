import DocumentValues
import FieldModels
import Foundation
import Glibc

/// What the service keeps in its folder for other programs to read: its state, and the answers to those that asked. What
/// changes there is reported, too.
final class ServiceJournal {
    private let environment: SyncEnvironment
    private let folder: ServiceFolder
    private let reports: ServiceReports
    private var clock = Clock.noted(secondsAhead: nil)
    /// What the next write has to note of the exchange. It is written once: a sync beside may have noted another since.
    private var exchange: (moment: Int64, gateway: String?)?
    private var service = SyncNotes.Service(process: getpid(), state: ServiceState(.starting), since: 0)
    private var written: ContinuousClock.Instant?
    /// `nil` while nobody waits for an answer: what is counted for nobody would grow for months.
    private var asked: Asked?

    /// By how much the laptop's clock is ahead of the gateway's, as far as is known; `nil` where they agree.
    private enum Clock {
        /// As the notes have it.
        case noted(secondsAhead: Int64?)
        /// The two were compared since, which the next write has to note, once.
        case compared(secondsAhead: Int64?)

        var secondsAhead: Int64? {
            switch self {
            case .noted(let seconds), .compared(let seconds): seconds
            }
        }
    }

    /// For those that wait: what was exchanged since the first of them asked.
    private struct Asked {
        let since = ContinuousClock.now
        var report = SyncReport()
    }

    init(_ folder: ServiceFolder, environment: SyncEnvironment, reports: ServiceReports) {
        self.folder = folder
        self.environment = environment
        self.reports = reports
    }

    /// Once the folder is ours.
    func begin() {
        let notes = folder.notes()
        clock = .noted(secondsAhead: notes.secondsAhead)
        service.news = notes.service?.news ?? []
        service.since = now
        write()
        reports.send(.state(service.state, after: service.state))
    }

    /// - Parameter gateway: with which the records are exchanged.
    func report(_ state: ServiceState, gateway: URL?) {
        var state = state
        state.why = state.why.map { $0.shortened(toBytes: ServiceLimits.reason) }
        let old = service.state
        // What is to be exchanged next shows that until then everything was. A connection that is gone shows nothing: it
        // may have been dead for long, while the laptop slept.
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

    /// What was exchanged since the last time.
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

    /// Somebody waits for an answer from now on. What came before belongs to others.
    func noteRequest() {
        if asked == nil { asked = Asked() }
    }

    /// Answers all that wait.
    ///
    /// - Parameter refused: how many records are in the outbox.
    func answer(_ requests: [SyncRequest], outcome: ServicePolicy.Outcome, refused: OutboxCount) {
        let asked = asked ?? Asked()
        self.asked = nil
        var report = asked.report
        report.note(refused)
        report.milliseconds = Int((ContinuousClock.now - asked.since) / .milliseconds(1))
        var failure: String?
        if case .failed(let why) = outcome { failure = why }
        answer(requests.map(\.id), report: report, failure: failure)
    }

    /// Answers requests that cannot be read; others go on waiting.
    func refuse(_ ids: [String], why: String) { answer(ids, report: SyncReport(), failure: why) }

    private func answer(_ ids: [String], report: SyncReport, failure: String?) {
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

extension SyncReport {
    /// With as many names as there is room for: what does not fit into the file could be read by nobody.
    func fitted(naming limit: Int, bytes: Int) -> SyncReport {
        var (report, named) = (self, limit)
        report.cut(to: named)
        while named > 0, report.size > bytes {
            named /= 2
            report.cut(to: named)
        }
        return report
    }

    /// In bytes. What cannot be encoded is reported when it is written.
    private var size: Int { (try? JSONEncoder().encode(self).count) ?? 0 }
}
