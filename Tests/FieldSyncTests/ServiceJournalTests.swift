import FieldModels
import FieldRecords
import Foundation
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

    private static func exchanging(_ completed: UInt64) -> ServiceState {
        ServiceState(.exchanging, completed: completed, total: 9)
    }

    private var kept: SyncNotes.Service? { folder.notes().service }

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

    @Test func theLastExchangeIsKeptWithItsGateway() throws {
        try folder.prepare()
        journal.begin()
        journal.report(Self.exchanging(1), gateway: URL(string: TemporaryFolder.gateway))
        #expect(folder.notes().lastExchange == nil)
        journal.report(ServiceState(.idle), gateway: URL(string: TemporaryFolder.gateway))
        #expect(folder.notes().lastExchange == TemporaryFolder.now.secondsSince1970)
        #expect(folder.notes().gateway == TemporaryFolder.gateway)
    }

    @Test func anAnswerSaysWhatCameSinceItWasAsked() throws {
        try folder.prepare()
        var report = SyncReport()
        report.pushed = [.site: 1]
        journal.exchanged(SyncReport())
        #expect(recorder.events.isEmpty, "nothing is no news")
        journal.exchanged(report)
        journal.recount()
        journal.exchanged(report)
        journal.exchanged(report)
        journal.noteClock(-90_000)
        journal.answer([SyncRequest(id: "a"), SyncRequest(id: "b")], outcome: .failed("No."), refused: 3)
        #expect(recorder.events.last == .remark(.clock(secondsAhead: -90_000)))
        let answers = try #require(kept).answers
        #expect(answers.map(\.id) == ["a", "b"] && answers.map(\.failure) == ["No.", "No."])
        let answer = try #require(answers.first?.report)
        #expect(answer.pushed == [.site: 2] && answer.refused == 3 && answer.secondsAhead == -90_000)
        #expect(answer.by == .service)
        journal.answer([SyncRequest(id: "c")], outcome: .exchanged, refused: 0)
        #expect(kept?.answers.last?.report?.pushed == [:] && kept?.answers.last?.failure == nil)
    }

    @Test func onlyTheLastAnswersAreKept() throws {
        try folder.prepare()
        for number in 1...12 { journal.answer([SyncRequest(id: "\(number)")], outcome: .exchanged, refused: 0) }
        #expect(kept?.answers.map(\.id) == (5...12).map(String.init))
    }

    @Test func aStatusThatCannotBeWrittenEndsNothing() {
        journal.begin()
        journal.report(ServiceState(.idle), gateway: nil)
        let remarks = recorder.events.filter { if case .remark(.statusUnwritten) = $0 { true } else { false } }
        #expect(remarks.count == 2 && recorder.events.count == 4, "\(recorder.events)")
    }
}
