import FieldModels
import FieldRecords
import Foundation
import Synchronization
import Testing

@testable import FieldSync

/// What the service keeps for other programs, and reports of it.
@Suite struct ServiceJournalTests {
    private final class Recorder: ServiceReporting {
        var events: [ServiceEvent] = []

        func report(_ event: ServiceEvent) { events.append(event) }
    }

    private let temporary: TemporaryFolder
    private let folder: ServiceFolder
    private let recorder = Recorder()
    private let journal: ServiceJournal

    init() throws {
        temporary = try TemporaryFolder()
        folder = ServiceFolder(of: temporary.field.folder)
        let environment = TemporaryFolder.environment(temporary.field)
        journal = ServiceJournal(
            folder, environment: environment,
            reports: ServiceReports(reporters: [recorder], wording: environment.wording))
    }

    private final class Clock: Sendable {
        private let seconds = Mutex(TemporaryFolder.now.secondsSince1970)

        var now: Int64 {
            get { seconds.withLock(\.self) }
            set { seconds.withLock { $0 = newValue } }
        }
    }

    private func journal(_ clock: Clock) -> ServiceJournal {
        let environment = SyncEnvironment(
            field: temporary.field, now: { Timestamp(secondsSince1970: clock.now) })
        return ServiceJournal(
            folder, environment: environment,
            reports: ServiceReports(reporters: [recorder], wording: environment.wording))
    }

    private static func exchanging(_ completed: UInt64) -> ServiceState {
        ServiceState(.exchanging, completed: completed, total: 9)
    }

    private var kept: SyncNotes.Service? { folder.notes().service }

    /// Shells that wait beside it show what the records do not.
    @Test func whatNobodySeesInTheRecordsIsKeptForShells() throws {
        try folder.prepare()
        journal.begin()
        var report = SyncReport()
        report.counts.pulled = [.site: 3]
        journal.exchanged(report)
        #expect(kept?.news.isEmpty == true)
        report.counts.purged = [.site: 2]
        report.records.handedOver = (1...9).map {
            SyncReport.NamedRecord(reference: RecordReference(.assignment, id: "assignment-\($0)"), line: "\($0)")
        }
        journal.exchanged(report)
        let news = try #require(kept?.news.first)
        #expect(news.number == 1 && news.report.counts.purged == [.site: 2] && news.report.counts.pulled.isEmpty)
        #expect(news.report.records.handedOver.count == 5 && news.report.unnamed.handedOver == 4)
        for _ in 1...20 { journal.exchanged(report) }
        #expect(kept?.news.map(\.number) == Array(12...21))
        let later = journal(Clock())
        later.begin()
        later.exchanged(report)
        #expect(kept?.news.last?.number == 22, "numbers go on in the next service")
    }

    /// Else a sync of thousands of records would write as many files.
    @Test func countsAloneAreWrittenAfterAWhile() throws {
        try folder.prepare()
        journal.begin()
        journal.report(Self.exchanging(1), gateway: nil)
        journal.report(Self.exchanging(2), gateway: nil)
        let starting = ServiceState(.starting)
        #expect(
            recorder.events == [
                .state(starting, after: starting), .state(Self.exchanging(1), after: starting),
                .progress(Self.exchanging(2)),
            ])
        #expect(kept?.state == Self.exchanging(1) && kept?.process == getpid())
        journal.report(ServiceState(.idle), gateway: nil)
        #expect(recorder.events.last == .state(ServiceState(.idle), after: Self.exchanging(2)))
        #expect(kept?.state == ServiceState(.idle))
    }

    @Test func countsWithALongReasonAreCountsAlone() throws {
        try folder.prepare()
        journal.begin()
        let why = AdvisedText(text: String(repeating: "é", count: 3_000))
        journal.report(ServiceState(.offline, completed: 1, total: 9, why: why), gateway: nil)
        journal.report(ServiceState(.offline, completed: 2, total: 9, why: why), gateway: nil)
        guard case .progress(let state)? = recorder.events.last else {
            Issue.record("\(recorder.events.count) events")
            return
        }
        #expect(state.completed == 2 && kept?.state.completed == 1)
    }

    @Test func theLastExchangeIsKeptWithItsGateway() throws {
        try folder.prepare()
        journal.begin()
        journal.report(Self.exchanging(1), gateway: URL(string: TemporaryFolder.gateway))
        #expect(folder.notes().lastExchange == nil)
        journal.report(ServiceState(.idle), gateway: URL(string: TemporaryFolder.gateway))
        #expect(folder.notes().lastExchange == TemporaryFolder.now.secondsSince1970)
        #expect(folder.notes().gateway == TemporaryFolder.gateway)
    }

    /// A dead connection says nothing of when it died, and the next gateway was not reached yet.
    @Test(arguments: [ServiceState.Activity.connecting, .offline, .waiting, .stopping])
    func aConnectionThatIsGoneIsNoExchange(activity: ServiceState.Activity) throws {
        try folder.prepare()
        let clock = Clock()
        let journal = journal(clock)
        journal.begin()
        journal.report(ServiceState(.idle), gateway: URL(string: TemporaryFolder.gateway))
        clock.now += 28_800
        journal.report(ServiceState(activity), gateway: URL(string: "ws://127.0.0.1:2/field"))
        #expect(folder.notes().lastExchange == TemporaryFolder.now.secondsSince1970)
        #expect(folder.notes().gateway == TemporaryFolder.gateway)
    }

    @Test func untilSomethingIsToBeExchangedEverythingWas() throws {
        try folder.prepare()
        let clock = Clock()
        let journal = journal(clock)
        journal.begin()
        journal.report(ServiceState(.idle), gateway: URL(string: TemporaryFolder.gateway))
        clock.now += 600
        journal.report(Self.exchanging(1), gateway: URL(string: TemporaryFolder.gateway))
        #expect(folder.notes().lastExchange == TemporaryFolder.now.secondsSince1970 + 600)
    }

    @Test func anAnswerSaysWhatCameSinceItWasAsked() throws {
        try folder.prepare()
        var report = SyncReport()
        report.counts.pushed = [.site: 1]
        journal.exchanged(SyncReport())
        #expect(recorder.events.isEmpty, "nothing is no news")
        journal.exchanged(report)
        journal.noteRequest()
        journal.exchanged(report)
        journal.exchanged(report)
        journal.noteClock(-90_000)
        journal.answer(
            [SyncRequest(id: "a"), SyncRequest(id: "b")], outcome: .failed("No."), refused: OutboxCount(records: 3))
        #expect(recorder.events.last == .remark(.clock(secondsAhead: -90_000)))
        let answers = try #require(kept).answers
        #expect(answers.map(\.id) == ["a", "b"] && answers.map(\.failure) == ["No.", "No."])
        let answer = try #require(answers.first?.report)
        #expect(answer.counts.pushed == [.site: 2] && answer.waiting.refused == 3 && answer.secondsAhead == -90_000)
        #expect(answer.by == .service)
        journal.answer([SyncRequest(id: "c")], outcome: .exchanged, refused: OutboxCount())
        #expect(kept?.answers.last?.report?.counts.pushed == [:] && kept?.answers.last?.failure == nil)
    }

    /// A service runs for months beside a shell in which nobody asks for a sync.
    @Test func whatNobodyAskedForIsNotRemembered() throws {
        try folder.prepare()
        var report = SyncReport()
        report.counts.pulled = [.site: 1]
        for _ in 1...1_000 { journal.exchanged(report) }
        #expect(recorder.events.count == 1_000)
        journal.answer([SyncRequest(id: "a")], outcome: .exchanged, refused: OutboxCount())
        #expect(kept?.answers.last?.report?.counts.pulled == [:])
    }

    /// Neither a second one nor one that cannot be read takes anything from those that wait.
    @Test func whoAsksFirstHearsOfEverythingSince() throws {
        try folder.prepare()
        var report = SyncReport()
        report.counts.pulled = [.site: 1]
        for id in ["a", "b"] {
            journal.noteRequest()
            journal.exchanged(report)
            journal.refuse(["broken-\(id)"], why: "No.")
        }
        journal.answer([SyncRequest(id: "a"), SyncRequest(id: "b")], outcome: .exchanged, refused: OutboxCount())
        let answers = try #require(kept).answers
        #expect(answers.map(\.id) == ["broken-a", "broken-b", "a", "b"])
        #expect(answers.map { $0.report?.counts.pulled } == [[:], [:], [.site: 2], [.site: 2]])
        #expect(answers.map(\.failure) == ["No.", "No.", nil, nil])
    }

    @Test func onlyTheLastAnswersAreKept() throws {
        try folder.prepare()
        for number in 1...12 {
            journal.answer([SyncRequest(id: "\(number)")], outcome: .exchanged, refused: OutboxCount())
        }
        #expect(kept?.answers.map(\.id) == (5...12).map(String.init))
    }

    /// A sync beside the service, which waits, notes its own.
    @Test func whatAnotherSyncNotedStays() throws {
        try folder.prepare()
        journal.begin()
        journal.report(ServiceState(.idle), gateway: URL(string: TemporaryFolder.gateway))
        journal.noteClock(90_000)
        journal.report(ServiceState(.waiting, why: "Another sync of this folder runs."), gateway: nil)
        let later = TemporaryFolder.now.secondsSince1970 + 60
        try folder.change { ($0.lastExchange, $0.secondsAhead) = (later, nil) }
        journal.report(ServiceState(.connecting), gateway: nil)
        #expect(folder.notes().lastExchange == later && folder.notes().secondsAhead == nil)
        #expect(kept?.state.activity == .connecting)
    }

    /// What does not fit into the file would be read by nobody: neither the answers nor the state.
    @Test(arguments: [40, 4_000]) func answersFitIntoTheFile(length: Int) throws {
        try folder.prepare()
        journal.begin()
        let text = String(repeating: "é", count: length)
        func reference(_ number: Int) -> RecordReference { RecordReference(.inspection, id: "inspection-\(number)") }
        var report = SyncReport()
        report.records.merged = (0..<3_000).map { number in
            MergedRecord(
                reference: reference(number), title: text, outcome: number.isMultiple(of: 2) ? .contested : .united,
                subjects: text, lines: [text])
        }
        report.records.returned = (0..<200).map {
            ReturnedInspection(reference: reference($0), title: text, review: text)
        }
        report.records.followed = (0..<2_000).map { SyncReport.NamedRecord(reference: reference($0), line: text) }
        report.records.deleted = report.records.followed
        report.records.changedApprovals = report.records.followed
        report.records.handedOver = report.records.followed
        report.failures = (0..<100).map { number in
            SyncReport.Failure(
                isPush: number < 90, reference: reference(number), message: "\(text)", title: text, code: 10_403,
                reason: text)
        }
        report.counts.pulled = [.inspection: 9_000]
        for number in 0..<12 {
            journal.noteRequest()
            journal.exchanged(report)
            journal.answer(
                [SyncRequest(id: "\(number)")], outcome: .failed(AdvisedText(text: text)),
                refused: OutboxCount(records: 90))
        }
        let answers = try #require(kept).answers
        #expect(answers.map(\.id) == (4..<12).map(String.init))
        let answer = try #require(answers.last?.report)
        #expect(answer.counts.pulled == [.inspection: 9_000] && answer.contested == 1_500)
        let unnamed = answer.unnamed
        #expect(
            answer.records.merged.count + unnamed.merged == 3_000
                && answer.records.followed.count + unnamed.followed == 2_000)
        #expect(answer.records.handedOver.count + unnamed.handedOver == 2_000)
        #expect(
            answer.records.returned.count + unnamed.returned == 200
                && answer.records.deleted.count + unnamed.deleted == 2_000)
        #expect(answer.failures.filter(\.isPush).count + unnamed.refused == 90)
        #expect(answer.failures.count + unnamed.refused + unnamed.notFetched == 100)
        #expect(answer.records.merged.count <= 50 && (length > 40 || !answer.records.merged.isEmpty))
    }

    @Test func aStatusThatCannotBeWrittenEndsNothing() {
        journal.begin()
        journal.report(ServiceState(.idle), gateway: nil)
        let remarks = recorder.events.filter { if case .remark(.statusUnwritten) = $0 { true } else { false } }
        #expect(remarks.count == 2 && recorder.events.count == 4, "\(recorder.events)")
    }
}
